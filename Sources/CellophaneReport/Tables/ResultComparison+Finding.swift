extension ResultComparison {
  /// The values of the setting that differs; nil if none or several differ, or if its values are long.
  private var values: [String]? {
    guard settings.count == 1, let only = settings.first else { return nil }
    let values = [only.texts.first, only.texts.second]
    return values.allSatisfy { $0.count <= 24 } ? values : nil
  }

  /// The titles of the two results: their order, with the value of the setting if only one differs.
  var titles: [String] {
    let order = ["first", "second"]
    return values.map { zip(order, $0).map { "\($0) (\($1))" } } ?? order
  }

  /// The blank share of the second result beside that of the first; nil if one is unknown.
  func finding() -> Finding? {
    let notes = values.map { $0.map { " (\($0))" } } ?? ["", ""]
    let names = (first: "the first" + notes[0], second: "The second result" + notes[1])
    guard let row = rows[.metric(.blankRatio)], let first = row.first, let second = row.second else {
      return nil
    }
    return Finding(
      sentence: Finding.sentence(
        Finding.Side(name: names.second, share: second), Finding.Side(name: names.first, share: first),
        row.difference, isConfirmed: row.claim != nil, replicas: replicas.min() ?? 1),
      reason: reason, advice: advice(row.claim))
  }

  /// The settings that differ, at most three of them.
  private var reason: String? {
    guard !settings.isEmpty else { return "Both results have identical settings." }
    let texts = settings.prefix(3).map { "\($0.path) (\($0.texts.first), then \($0.texts.second))" }
    let rest = settings.count > 3 ? " and \(settings.count - 3) more" : ""
    return "Settings that differ: " + texts.joined(separator: ", ") + rest + "."
  }

  /// Returns the next step after a confirmed difference of the blank share, or after none.
  private func advice(_ claim: DifferenceFamily.Claim?) -> String? {
    func row(_ metric: Metric) -> Row? { rows[.metric(metric)] }
    let costs = [("bytes received", row(.bytesDown)), ("bytes received but never shown", row(.wastedBytes))]
    let dearer = costs.filter { $0.1?.claim == .worse }.map(\.0)
    switch claim {
    case .better:
      return dearer.isEmpty
        ? "The second result costs no more bytes; prefer it."
        : "The second result has more \(dearer.joined(separator: " and ")); decide whether that is worth it."
    case .worse: return "Prefer the first result, unless another number below matters more."
    case .less, .more, nil:
      return unpaired == nil
        ? "Use more replicas to confirm a smaller difference."
        : "Use the same seeds, list and gestures: pairs of replicas confirm smaller differences."
    }
  }
}
