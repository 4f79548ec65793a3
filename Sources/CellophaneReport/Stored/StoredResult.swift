package import Cellophane

/// A result that `simulate --json` wrote and that has an HTML report.
package enum StoredResult: Sendable, Hashable {
  /// The result of one simulation.
  case run(SimulationResult)
  /// The result of a study with several cases.
  case study(StudyResult)

  /// Reads the JSON of either result, by its schema.
  ///
  /// - Throws: ``LoadError/Kind/corrupt``, as ``SimulationResult/init(json:)`` and
  ///   ``StudyResult/init(json:)`` do; the errors of ``checkSchema(of:for:)``.
  package init(json: [UInt8]) throws(LoadError) {
    self =
      try Self.checkSchema(of: json, for: .report) == StudyResult.schema
      ? .study(try StudyResult(json: json)) : .run(try SimulationResult(json: json))
  }

  /// Returns the report as one HTML file.
  ///
  /// - Throws: The errors of the result's `json()`.
  package func html() throws -> String {
    switch self {
    case .run(let result): try result.html()
    case .study(let result): try result.html()
    }
  }
}
