package import Cellophane

extension StoredResult {
  /// The use of a stored result, which decides the accepted schemas.
  package enum Use: Sendable {
    case report, comparison

    fileprivate var schemas: [String] {
      switch self {
      case .report: [SimulationResult.schema, StudyResult.schema]
      case .comparison: [SimulationResult.schema]
      }
    }

    /// The name of the command or option.
    fileprivate var name: String {
      switch self {
      case .report: "report"
      case .comparison: "--compare"
      }
    }
  }

  /// The schemas for other uses, with the commands that write them.
  private static let others: KeyValuePairs = [
    ResultComparison.schema: "simulate --compare", CacheComparison.schema: "simulate --requests",
    ModelValidation.schema: "simulate --validate", Advice.schema: "advise",
  ]

  /// Checks that `json` has a schema for `use`, and returns the schema.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` for another schema; ``LoadError/Kind/unsupported`` for one that `simulate`
  ///   writes. The message then completes the name of the file, and names the option.
  @discardableResult
  package static func checkSchema(of json: [UInt8], for use: Use) throws(LoadError) -> String {
    let schema = try StoredJSON.schema(of: json)
    if use.schemas.contains(schema) { return schema }
    if schema == StudyResult.schema {
      throw LoadError(
        .unsupported,
        "has several cases (--sweep, --sensitivity or --suite); --compare needs two results of single runs")
    }
    let expected = use.schemas.map { "'\($0)'" }.joined(separator: " or ")
    guard let command = others.first(where: { $0.key == schema })?.value else {
      throw LoadError(.corrupt, "its schema is '\(schema.prefix(60))', not \(expected)")
    }
    throw LoadError(
      .unsupported,
      "has the schema '\(schema)' (\(command)), which \(use.name) does not read; use a result with the schema \(expected)"
    )
  }
}
