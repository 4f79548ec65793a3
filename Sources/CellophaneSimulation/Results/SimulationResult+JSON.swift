public import Cellophane

extension SimulationResult {
  /// The result as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] { try JSONText.lines(self) }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with what is wrong: that it is JSON of another shape, or the path of a field
  ///   that is missing, cannot be what it is, or has a number that no run comes to.
  public init(json: [UInt8]) throws(LoadError) {
    self = try StoredJSON.read(Self.schema, from: json)
    try StoredJSON.check(
      config, in: json, except: [CodingKeys.config.rawValue, CodingKeys.recording.rawValue])
  }
}

extension DecodingError {
  /// What is wrong, and where; `whole` when that is nowhere.
  func sentence(ofAll whole: String) -> String {
    func place(_ context: Context) -> String {
      context.codingPath.isEmpty ? "it" : ScenarioField.path(context.codingPath)
    }
    return switch self {
    case .keyNotFound(let key, let context):
      "\(ScenarioField.path(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): "\(place(context)) is null"
    case .typeMismatch(_, let context): "\(place(context)) is of the wrong kind"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? whole : "\(place(context)): \(context.debugDescription)"
    @unknown default: "it is no result"
    }
  }
}
