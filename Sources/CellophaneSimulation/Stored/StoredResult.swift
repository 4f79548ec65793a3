public import Cellophane

/// What `simulate --json` wrote and a report can be made of.
public enum StoredResult: Sendable, Hashable {
  /// Of one list.
  case run(SimulationResult)
  /// Of several cases.
  case study(StudyResult)

  /// Reads either.
  ///
  /// - Throws: ``LoadError/Kind/corrupt``, as ``SimulationResult/init(json:)`` and ``StudyResult/init(json:)``.
  public init(json: [UInt8]) throws(LoadError) {
    self =
      try StoredJSON.schema(of: json) == StudyResult.schema
      ? .study(try StudyResult(json: json)) : .run(try SimulationResult(json: json))
  }

  /// The report, one HTML file.
  ///
  /// - Throws: What the result's `json()` throws.
  public func html() throws -> String {
    switch self {
    case .run(let result): try result.html()
    case .study(let result): try result.html()
    }
  }
}
