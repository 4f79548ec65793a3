extension SimulationResult {
  /// The rows of ``TableRow/main`` at the top of a report, each with the number of the naive loader.
  var cards: [Card] {
    TableRow.main.map(card) + (assertions.isEmpty ? [] : [assertionCard])
  }

  private func card(_ row: TableRow) -> Card {
    guard case .path(let path) = row.number else { return Card(title: row.label, value: own(row)) }
    let interval = metrics.interval(of: path).flatMap { interval -> String? in
      guard let low = interval.low, let high = interval.high else { return nil }
      return "95 % interval " + TableRow.range(row.format(low), row.format(high))
    }
    return Card(
      title: row.label, value: row.text(of: metrics.run), interval: interval, versus: versusNaive(row, path),
      // The claim is about the naive loader.
      holds: claim(row, .naive).flatMap { $0 == .worse ? true : $0 == .better ? false : nil })
  }

  /// Returns the number of the naive loader and the difference of Cellophane from it; nil without that loader.
  private func versusNaive(_ row: TableRow, _ path: MetricPath) -> String? {
    guard let run = baselines[.naive] else { return nil }
    let start = "naive: \(row.text(of: run))"
    guard let mean = differences[.naive]?[path]?.mean else { return start }
    let words = row.difference(abs(mean)) + (mean < 0 ? " less" : " more")
    guard config.replicas >= Bootstrap.minReplicas else { return start }
    return start + (claim(row, .naive) == nil ? "; no confirmed difference" : "; \(words)")
  }

  private var assertionCard: Card {
    let passed = assertions.count(where: \.pass)
    return Card(
      title: "Assertions", value: "\(passed) of \(assertions.count)",
      interval: passed == assertions.count ? "all hold" : "hold",
      meaning: assertions.map { outcome in
        let mark =
          switch outcome.verdict {
          case .holds: "✓"
          case .notShown: "?"
          case .fails: "✗"
          }
        return mark + " " + outcome.sentence
      }.joined(separator: "; ") + ".",
      holds: passed == assertions.count)
  }
}
