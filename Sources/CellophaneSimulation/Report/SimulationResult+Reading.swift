internal import Cellophane

extension SimulationResult {
  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    schema = try object.located(.schema)
    tool = try object.located(.tool)
    incomplete = try object.locatedIfPresent(.incomplete)
    reproduce = try object.locatedIfPresent(.reproduce)
    suite = try object.locatedIfPresent(.suite)
    suiteCase = try object.locatedIfPresent(.suiteCase)
    time = try object.located(.time)
    fingerprint = try object.locatedIfPresent(.fingerprint)
    config = try object.located(.config)
    metrics = try object.located(.metrics)
    phases = try object.located(.phases)
    series = try object.locatedIfPresent(.series)
    histograms = try object.located(.histograms)
    samples = try object.located(.samples)
    baselines = try object.located(.baselines)
    differences = try object.located(.differences)
    oracleGap = try object.locatedIfPresent(.oracleGap)
    survival = try object.located(.survival)
    recording = try object.locatedIfPresent(.recording)
    invariants = try object.located(.invariants)
    assertions = try object.located(.assertions)
    wallSeconds = try object.located(.wallSeconds)
  }
}

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
