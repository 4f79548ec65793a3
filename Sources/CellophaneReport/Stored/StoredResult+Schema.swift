package import Cellophane

extension StoredResult {
  /// The schemas of `simulate` without an HTML report, with the options that write them.
  private static let others: KeyValuePairs = [
    ResultComparison.schema: "--compare", CacheComparison.schema: "--requests",
    ModelValidation.schema: "--validate",
  ]

  /// Checks that `json` has the schema of a simulation or of a study.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` for another schema; ``LoadError/Kind/unsupported`` for one that `simulate`
  ///   writes. The message then completes the name of the file, and names the option.
  package static func checkSchema(of json: [UInt8]) throws(LoadError) {
    let schema = try StoredJSON.schema(of: json)
    guard ![SimulationResult.schema, StudyResult.schema].contains(schema) else { return }
    let expected = "'\(SimulationResult.schema)' or '\(StudyResult.schema)'"
    guard let option = others.first(where: { $0.key == schema })?.value else {
      throw LoadError(.corrupt, "its schema is '\(schema.prefix(60))', not \(expected)")
    }
    throw LoadError(
      .unsupported,
      "has the schema '\(schema)' (simulate \(option)), which has no HTML report; use a result with the schema \(expected)"
    )
  }
}
