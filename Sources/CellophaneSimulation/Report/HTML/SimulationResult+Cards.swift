extension SimulationResult {
  /// The numbers at the head of a report.
  var cards: [Card] {
    [blankCard, waitCard, settleCard, wasteCard, requestCard, wrongCard]
      + (assertions.isEmpty ? [] : [assertionCard])
  }

  private var assertionCard: Card {
    let kept = assertions.count(where: \.pass)
    return Card(
      title: "What was asked to hold", value: "\(kept) of \(assertions.count)",
      interval: kept == assertions.count ? "all of it does" : "the others do not",
      meaning: assertions.map { assertion in
        let value =
          assertion.value.map { Quantity.decimal($0, places: $0 == $0.rounded() ? 0 : 4) } ?? "not known"
        return "\(assertion.pass ? "✓" : "✗") \(assertion.expr): \(value)"
      }.joined(separator: "; ") + ".",
      holds: kept == assertions.count)
  }

  private var blankCard: Card {
    Card(
      title: "Blank picture area", value: Self.percent(metrics.run[.blankRatio]),
      interval: interval(metrics[.blankRatio].interval, Quantity.percent),
      meaning: "The share of the picture area on the screen, over time, that lacked its picture."
        + (metrics.run[.blankRatioAtRest].map { " While the list rested, \(Quantity.percent($0))." } ?? "")
        + leftToGain,
      comparisons: comparisons(Quantity.percent) { $0[.blankRatio] })
  }

  /// How far this run is from possible.
  private var leftToGain: String {
    guard let oracleGap, let least = baselines[.oracle]?[.blankRatio] else { return "" }
    return " No loader over this line could have had less than \(Quantity.percent(least)), the oracle's; "
      + "at most \(Quantity.percent(oracleGap)) of the area is left to gain\(oracleGapInterval(Quantity.percent))."
  }

  private var waitCard: Card {
    let wait = metrics.run.timeToImage
    return Card(
      title: "Time to image, for 95 % of the rows", value: Self.text(wait, .p95),
      interval: interval(wait.interval(.p95), Quantity.milliseconds),
      meaning:
        "From the first frame with a row to the first with its picture; for half of the rows \(Self.text(wait, .p50)), for "
        + "three quarters \(Self.text(wait, .p75)). \(Quantity.grouped(Double(wait.censored))) of "
        + "\(Quantity.grouped(Double(wait.count))) rows left before it came.",
      comparisons: waits { ($0.timeToImage, .p95) })
  }

  private var settleCard: Card {
    let wait = metrics.run[.settleTime]
    return Card(
      title: "After a stop, until all is there", value: Self.text(wait, .p75),
      interval: interval(wait.interval(.p75), Quantity.milliseconds),
      meaning:
        "From the moment at which the list came to rest until every row on the screen had its picture, in three of four "
        + "cases, of \(Quantity.grouped(Double(wait.count))).",
      comparisons: waits { ($0[.settleTime], .p75) })
  }

  private var wasteCard: Card {
    let (wasted, all) = (metrics.run[.wastedBytes], metrics.run[.bytesDown])
    let share = wasted.flatMap { wasted in all.flatMap { $0 > 0 ? wasted / $0 : nil } }
    return Card(
      title: "Wasted bytes", value: wasted.map(Quantity.bytes) ?? Quantity.unknown,
      interval: interval(metrics[.wastedBytes].interval, Quantity.bytes),
      meaning: "Received for pictures that were never on the screen"
        + (share.map { "; \(Quantity.percent($0)) of the \(Quantity.bytes(all ?? 0)) that a run received." }
          ?? "."),
      comparisons: comparisons(Quantity.bytes) { $0[.wastedBytes] })
  }

  private var requestCard: Card {
    Card(
      title: "Requests", value: metrics.run[.transfers].map(Quantity.grouped) ?? Quantity.unknown,
      interval: interval(metrics[.transfers].interval, Quantity.grouped),
      meaning:
        "Transfers begun in a run\(givenUp). Memory answered \(Self.percent(metrics.run[.memoryHits])) of what the slots asked for, the disk "
        + "\(Self.percent(metrics.run[.diskHits])).",
      comparisons: comparisons(Quantity.grouped) { $0[.transfers] })
  }

  private var givenUp: String {
    metrics.run[.cancelledTransfers].map { ", \(Quantity.grouped($0)) of which were given up" } ?? ""
  }

  private var wrongCard: Card {
    Card(
      title: "Wrong pictures", value: Quantity.grouped(Double(invariants.misplaced)),
      interval: metrics.run[.stalePrevented].map {
        "\(Quantity.grouped($0)) late pictures kept off the screen"
      },
      meaning: invariants.hold
        ? "How often a slot showed the picture of another row. No two transfers of one picture ran at once, and nothing was left "
          + "over."
        : "Broken: " + invariants.broken.joined(separator: "; ") + ".",
      comparisons: [], holds: invariants.hold)
  }

  /// The same number of every loader; nothing where it is not known.
  private func comparisons(
    _ format: (Double) -> String, _ value: (RunMetrics) -> Double?
  ) -> [Card.Comparison] {
    loaders.compactMap { name, style, run in
      value(run).map { Card.Comparison(name: name, style: style, value: $0, text: format($0)) }
    }
  }

  /// The same quantile of every loader.
  private func waits(
    _ wait: (RunMetrics) -> (WaitEstimate, WaitEstimate.Quantile)
  ) -> [Card.Comparison] {
    loaders.compactMap { name, style, run in
      let (estimate, quantile) = wait(run)
      return (estimate[quantile] ?? estimate.longest).map {
        Card.Comparison(name: name, style: style, value: $0, text: Self.text(estimate, quantile))
      }
    }
  }

  private var loaders: [(name: String, style: String, run: RunMetrics)] {
    [(Contender.cellophane.title, "own", metrics.run)]
      + Contender.allCases.compactMap { loader in baselines[loader].map { (loader.title, "", $0) } }
  }

  /// How sure a number is; nil for few replicas, of which nobody knows.
  private func interval(_ interval: ConfidenceInterval?, _ format: (Double) -> String) -> String? {
    guard let interval, let low = interval.low, let high = interval.high else { return nil }
    return "95 % interval \(format(low)) to \(format(high)), \(config.replicas) replicas"
  }

  private static func percent(_ value: Double?) -> String { value.map(Quantity.percent) ?? Quantity.unknown }

  /// A quantile that is not known is larger than the longest wait.
  private static func text(_ wait: WaitEstimate, _ quantile: WaitEstimate.Quantile) -> String {
    if let value = wait[quantile] { return Quantity.milliseconds(value) }
    return wait.longest.map { "> " + Quantity.milliseconds($0) } ?? Quantity.unknown
  }
}
