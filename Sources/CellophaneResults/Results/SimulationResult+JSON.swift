public import Cellophane

extension SimulationResult {
  /// The result as JSON with sorted keys and a final line break.
  public func json() throws -> [UInt8] { try JSONText.lines(self) }

  /// Reads the output of ``json()``.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` for another schema, or with the path of a field that is missing,
  ///   has the wrong type or is out of range.
  public init(json: [UInt8]) throws(LoadError) {
    self = try StoredJSON.read(Self.schema, from: json)
    let except = [CodingKeys.config, .recording, .naiveRecording].map(\.rawValue)
    try StoredJSON.check(config, in: json, except: Set(except))
  }
}

extension DecodingError {
  /// Returns the error with the path of the field; `fallback` if there is no path.
  func message(fallback: String) -> String {
    func path(_ context: Context) -> String {
      context.codingPath.isEmpty ? "it" : ScenarioField.path(context.codingPath)
    }
    return switch self {
    case .keyNotFound(let key, let context):
      "\(ScenarioField.path(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): "\(path(context)) is null"
    case .typeMismatch(_, let context): "\(path(context)) has the wrong type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? fallback : "\(path(context)): \(context.debugDescription)"
    @unknown default: "it is not a result"
    }
  }
}
