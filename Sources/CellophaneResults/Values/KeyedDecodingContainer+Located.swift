internal import Cellophane

extension KeyedDecodingContainer {
  /// Returns the value of `key`.
  ///
  /// - Throws: The error of `decode(_:forKey:)`, with the path of `key` if that error has no path.
  ///   Foundation's has none for a number that does not fit its type.
  func located<Value: Decodable>(_ key: Key) throws -> Value {
    do { return try decode(Value.self, forKey: key) } catch { throw located(error, key) }
  }

  /// Returns the value of `key`; nil if absent.
  ///
  /// - Throws: The same errors as ``located(_:)``.
  func locatedIfPresent<Value: Decodable>(_ key: Key) throws -> Value? {
    do { return try decodeIfPresent(Value.self, forKey: key) } catch { throw located(error, key) }
  }

  private func located(_ error: any Error, _ key: Key) -> any Error {
    switch error {
    case is LoadError, DecodingError.keyNotFound: error
    case let error as DecodingError where !error.codingPath.isEmpty: error
    default:
      DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "has a number that is fractional or out of range")
    }
  }
}
