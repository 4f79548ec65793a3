public import Cellophane

extension StoredResult {
  /// What `simulate` writes beside results that a page can be made of, and how.
  private static let others: KeyValuePairs = [
    ResultComparison.schema: "--compare", CacheComparison.schema: "--requests",
    ModelValidation.schema: "--validate",
  ]

  /// - Throws: ``LoadError/Kind/corrupt`` unless `json` says to have one of the two shapes that a page can be made of;
  ///   what it is when it is another of this tool's.
  public static func checkSchema(of json: [UInt8]) throws(LoadError) {
    let schema = try StoredJSON.schema(of: json)
    guard ![SimulationResult.schema, StudyResult.schema].contains(schema) else { return }
    let taken = "'\(SimulationResult.schema)' or '\(StudyResult.schema)'"
    guard let option = others.first(where: { $0.key == schema })?.value else {
      throw LoadError(.corrupt, "its schema is '\(schema.prefix(60))', not \(taken)")
    }
    throw LoadError(
      .corrupt,
      "its schema is '\(schema)', which simulate \(option) writes and which has no page; take \(taken)")
  }
}
