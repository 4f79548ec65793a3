internal import Cellophane

extension KeyedDecodingContainer {
  /// The value of `key`.
  ///
  /// - Throws: As `decode(_:forKey:)`; with the path of `key` where the decoder's error has none, as for a number that
  ///   does not fit.
  func located<Value: Decodable>(_ key: Key) throws -> Value {
    do { return try decode(Value.self, forKey: key) } catch { throw located(error, key) }
  }

  /// The value of `key`; nil when there is none.
  ///
  /// - Throws: As ``located(_:)``.
  func locatedIfPresent<Value: Decodable>(_ key: Key) throws -> Value? {
    do { return try decodeIfPresent(Value.self, forKey: key) } catch { throw located(error, key) }
  }

  private func located(_ error: any Error, _ key: Key) -> any Error {
    switch error {
    case is LoadError, DecodingError.keyNotFound: error
    case let error as DecodingError where !error.codingPath.isEmpty: error
    default:
      DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "a number in it does not fit")
    }
  }
}
