extension SimulationResult {
  /// The main numbers at the top of a report.
  var cards: [Card] {
    [blankCard, waitCard, settleCard, wasteCard, requestCard, wrongCard]
      + (assertions.isEmpty ? [] : [assertionCard])
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

  private var blankCard: Card {
    Card(
      title: "Blank share", value: Self.percent(metrics.run[.blankRatio]),
      interval: interval(metrics[.blankRatio].confidence, Quantity.percent),
      meaning: "The part of the visible image area, over time, that lacked its image."
        + (metrics.run[.blankRatioAtRest].map { " While the list was at rest: \(Quantity.percent($0))." }
          ?? "")
        + leftToGain,
      comparisons: comparisons(Quantity.percent) { $0[.blankRatio] })
  }

  /// A sentence about the lower bound and its distance from this run.
  private var leftToGain: String {
    guard let oracleGap, let bound = baselines[.oracle]?[.blankRatio] else { return "" }
    return " No loader over this network can have less than \(Quantity.percent(bound)) (oracle). "
      + "This run is \(Quantity.points(oracleGap)) above it (percentage points\(oracleGapInterval(Quantity.points)))."
  }

  private var waitCard: Card {
    let wait = metrics.run.timeToImage
    return Card(
      title: "Image within 1 s", value: Self.percent(metrics.run[.seenWithin1s]),
      interval: interval(metrics[.seenWithin1s].confidence, Quantity.percent),
      meaning:
        "The share of the rows that had their image within 1 s of entering the screen. Within 100 ms: "
        + "\(Self.percent(metrics.run[.seenWithin100ms])). Time to image of half of the rows: \(Self.text(wait, .p50)); of 95 %: "
        + "\(Self.text(wait, .p95)). \(Quantity.grouped(Double(wait.cutShort))) of "
        + "\(Quantity.grouped(Double(wait.count))) rows left the screen before their image arrived\(ofAll).",
      comparisons: comparisons(Quantity.percent) { $0[.seenWithin1s] })
  }

  private var settleCard: Card {
    let wait = metrics.run[.settleTime]
    return Card(
      title: "Time to a complete screen, p75", value: Self.text(wait, .p75),
      interval: interval(wait.confidence(.p75), Quantity.milliseconds),
      meaning:
        "From the start or a stop of the list to the first frame in which every visible row has its image. "
        + "\(Quantity.grouped(Double(wait.count))) starts and stops\(ofAll).",
      comparisons: waits { ($0[.settleTime], .p75) })
  }

  private var wasteCard: Card {
    let (wasted, all) = (metrics.run[.wastedBytes], metrics.run[.bytesDown])
    let share = wasted.flatMap { wasted in all.flatMap { $0 > 0 ? wasted / $0 : nil } }
    return Card(
      title: "Wasted bytes", value: wasted.map(Quantity.bytes) ?? Quantity.unknown,
      interval: interval(metrics[.wastedBytes].confidence, Quantity.bytes),
      meaning: "Received for images that were never on the screen"
        + (share.map { ": \(Quantity.percent($0)) of the \(Quantity.bytes(all ?? 0)) received per replica." }
          ?? "."),
      comparisons: comparisons(Quantity.bytes) { $0[.wastedBytes] })
  }

  private var requestCard: Card {
    Card(
      title: "Transfers", value: metrics.run[.transfers].map(Quantity.grouped) ?? Quantity.unknown,
      interval: interval(metrics[.transfers].confidence, Quantity.grouped),
      meaning:
        "Requests to the network per replica\(cancelled). The memory cache answered \(Self.percent(metrics.run[.memoryHits])) of the slot "
        + "requests, the disk cache \(Self.percent(metrics.run[.diskHits])).",
      comparisons: comparisons(Quantity.grouped) { $0[.transfers] })
  }

  /// A suffix for a sum over the replicas; empty if there is only one.
  private var ofAll: String { config.replicas > 1 ? ", in all \(config.replicas) replicas" : "" }

  private var cancelled: String {
    metrics.run[.cancelledTransfers].map { "; \(Quantity.grouped($0)) cancelled" } ?? ""
  }

  private var wrongCard: Card {
    Card(
      title: "Wrong images", value: Quantity.grouped(Double(invariants.misplaced)),
      interval: metrics.run[.staleCancelled].map {
        "\(Quantity.grouped($0)) requests cancelled because their row left, "
          + "\(Quantity.grouped(metrics.run[.staleDropped] ?? 0)) late results discarded"
      },
      meaning: invariants.hold
        ? "Slots that showed the image of another row. No image had two transfers at the same time. "
          + "No work continued after the last request ended."
        : "Broken invariants: " + invariants.broken.joined(separator: "; ") + ".",
      comparisons: [], holds: invariants.hold)
  }

  /// Returns the same number of all loaders for which it is known.
  private func comparisons(
    _ format: (Double) -> String, _ value: (RunMetrics) -> Double?
  ) -> [Card.Comparison] {
    loaders.compactMap { name, style, run in
      value(run).map { Card.Comparison(name: name, style: style, value: $0, text: format($0)) }
    }
  }

  /// Returns the same quantile of all loaders for which it is known.
  private func waits(
    _ wait: (RunMetrics) -> (WaitEstimate, WaitEstimate.Quantile)
  ) -> [Card.Comparison] {
    loaders.compactMap { name, style, run in
      let (estimate, quantile) = wait(run)
      return estimate[quantile].map {
        Card.Comparison(name: name, style: style, value: $0, text: Self.text(estimate, quantile))
      }
    }
  }

  private var loaders: [(name: String, style: String, run: RunMetrics)] {
    [(LoaderUnderTest.cellophane.title, "own", metrics.run)]
      + LoaderUnderTest.allCases.compactMap { loader in baselines[loader].map { (loader.title, "", $0) } }
  }

  /// Returns the text of an interval; nil if it is unknown, as with too few replicas.
  private func interval(_ interval: ConfidenceInterval?, _ format: (Double) -> String) -> String? {
    guard let interval, let low = interval.low, let high = interval.high else { return nil }
    return "95 % interval \(format(low)) to \(format(high)), \(config.replicas) replicas"
  }

  private static func percent(_ value: Double?) -> String { value.map(Quantity.percent) ?? Quantity.unknown }

  /// Returns a quantile; `never` if too few waits reached it.
  private static func text(_ wait: WaitEstimate, _ quantile: WaitEstimate.Quantile) -> String {
    wait[quantile].map(Quantity.milliseconds) ?? (wait.count > 0 ? "never" : Quantity.unknown)
  }
}
