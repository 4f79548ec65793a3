package import Cellophane

extension StudyResult {
  /// Returns the result as JSON text with sorted keys and a final line break.
  package func json() throws -> [UInt8] { try JSONText.lines(self) }

  /// Reads the JSON that ``json()`` writes.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` for another schema, or with the path of a field that is missing,
  ///   has an invalid value or has a number outside of every possible run.
  package init(json: [UInt8]) throws(LoadError) {
    self = try StoredJSON.read(Self.schema, from: json)
    try StoredJSON.check(config, in: json, except: ["config"])
    try checkShape()
  }

  /// Checks the numbers of parameters, cases and values.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` for a number that no study has.
  private func checkShape() throws(LoadError) {
    if let defect = kind.defect(ofParameters: parameters.count) {
      throw LoadError(.corrupt, "parameters: \(defect); use a file of simulate --json without changes")
    }
    guard (1...Study.maxCases).contains(cases.count) else {
      throw LoadError(.corrupt, "cases: the number must be from 1 to \(Study.maxCases), not \(cases.count)")
    }
    for (index, one) in cases.enumerated() where one.values.count != parameters.count {
      throw LoadError(.corrupt, "cases[\(index)].values: must have one value for each parameter")
    }
  }
}

extension Study.Kind {
  /// Returns why no study of this kind has `count` parameters; nil if one may have them.
  func defect(ofParameters count: Int) -> String? {
    let (allowed, words) =
      switch self {
      case .sweep: (1...2, "1 or 2 parameters")
      case .sensitivity: (2...2, "2 parameters")
      case .suite: (1...8, "1 to 8 parameters")
      }
    if allowed.contains(count) { return nil }
    return "a \(rawValue) has \(words), and \(count) \(count == 1 ? "was" : "were") given"
  }
}
