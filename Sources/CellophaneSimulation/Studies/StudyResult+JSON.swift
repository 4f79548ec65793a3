public import Cellophane

extension StudyResult {
  /// The result as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] { try JSONText.lines(self) }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with what is wrong: that it is JSON of another shape, or the path of a field
  ///   that is missing, cannot be what it is, or has a number that no run comes to.
  public init(json: [UInt8]) throws(LoadError) {
    self = try StoredJSON.read(Self.schema, from: json)
    try StoredJSON.check(config, in: json, except: ["config"])
    try checkShape()
  }

  /// - Throws: ``LoadError/Kind/corrupt`` for cases that no study has.
  private func checkShape() throws(LoadError) {
    let places =
      switch kind {
      case .sweep: 1...2
      case .sensitivity: 2...2
      case .suite: 1...8
      }
    guard places.contains(parameters.count) else {
      throw LoadError(.corrupt, "parameters: a \(kind.rawValue) has not \(parameters.count)")
    }
    guard (1...Study.mostCases).contains(cases.count) else {
      throw LoadError(.corrupt, "cases: \(cases.count) is not in 1...\(Study.mostCases)")
    }
    for (index, one) in cases.enumerated() where one.values.count != parameters.count {
      throw LoadError(.corrupt, "cases[\(index)].values: has not one value of each parameter")
    }
  }
}
