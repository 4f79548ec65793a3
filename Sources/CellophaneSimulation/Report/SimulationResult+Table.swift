internal import Cellophane
internal import CellophaneTesting

extension SimulationResult {
  /// The result as a table for people, at most 80 columns wide, with a final line break.
  public func table() -> String {
    var lines = heading
    lines.append("")
    lines.append(Self.line("", "cellophane", "naive"))
    for section in Self.sections {
      lines.append(section.title)
      for row in section.rows {
        lines.append(Self.line("  " + row.label, row.cell(metrics.run), row.cell(baselines.naive)))
      }
    }
    lines.append("")
    lines.append(contentsOf: explanation)
    return lines.joined(separator: "\n") + "\n"
  }

  private var heading: [String] {
    let list =
      "\(config.list.rows) rows of \(config.list.rowHeight) px, \(config.viewport.slots ?? 0) slots, "
      + "\(config.gesture.profile.name) on \(config.gesture.physics.rawValue) at \(config.viewport.refreshRate) Hz, seed \(config.seed)"
    let seconds =
      Quantity.decimal(config.duration.seconds, places: 1) + (fingerprint == nil ? "" : " virtual")
    guard !config.list.isOwn else {
      return [list, "\(seconds) s each, pictures from their own URLs"]
    }
    let network = config.network.profile
    let rate =
      network.downBitsPerSecond.map { Quantity.decimal(Double($0) / 1e6, places: 1) + " Mbit/s" }
      ?? "no limit"
    let size = Quantity.bytes(Double(config.list.meanBytes ?? 0))
    return [
      list,
      "\(seconds) s each, pictures of \(size) over \(network.name) (\(rate), "
        + "\(Quantity.milliseconds(network.roundTrip.milliseconds)) round trip)",
    ]
  }

  private var explanation: [String] {
    let waits =
      "Same flicks for both. A row waits from its first frame to the first with its own\n"
      + "picture\(fingerprint == nil ? ", told by its pixels" : ""); rows that left before still count (Kaplan-Meier)."
    let broken = invariants.broken.map { "INVARIANT BROKEN: \($0)" }
    guard let reproduce, !broken.isEmpty else { return [waits] + broken }
    return [waits] + broken + ["to repeat it: \(reproduce)"]
  }

  private static func line(_ label: String, _ first: String, _ second: String) -> String {
    func left(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    return left(label, 44) + right(first, 16) + right(second, 16)
  }
}

/// One line of the table.
private struct TableRow {
  let label: String
  let cell: (RunMetrics) -> String

  init(_ label: String, _ cell: @escaping (RunMetrics) -> String) {
    self.label = label
    self.cell = cell
  }

  init(_ label: String, _ metric: Metric, _ format: @escaping (Double) -> String) {
    self.init(label) { $0[metric].map(format) ?? Quantity.unknown }
  }

  /// A quantile that is not known is larger than the longest wait.
  init(_ label: String, _ quantile: WaitEstimate.Quantile) {
    self.init(label) { run in
      if let value = run.timeToImage[quantile] { return Quantity.milliseconds(value) }
      return run.timeToImage.longest.map { ">" + Quantity.milliseconds($0) } ?? Quantity.unknown
    }
  }
}

extension SimulationResult {
  private struct TableSection {
    let title: String
    let rows: [TableRow]
  }

  private static var sections: [TableSection] {
    [
      TableSection(
        title: "time to image",
        rows: [
          TableRow("for 50 % of the rows, within", .p50), TableRow("for 75 %, within", .p75),
          TableRow("for 90 %, within", .p90), TableRow("for 95 %, within", .p95),
          TableRow("rows that came in") { Quantity.count(Double($0.timeToImage.count)) },
          TableRow("rows that left before their picture") { Quantity.count(Double($0.timeToImage.censored)) },
        ]),
      TableSection(
        title: "what the viewer saw",
        rows: [
          TableRow("blank share of picture area", .blankRatio, Quantity.percent),
          TableRow("blank share while at rest", .blankRatioAtRest, Quantity.percent),
          TableRow("picture there in the first frame", .readyOnAppear, Quantity.percent),
          TableRow("wrong pictures shown", .misplacedEvents, Quantity.count),
          TableRow("wrong picture on screen for", .misplacedMilliseconds, Quantity.milliseconds),
          TableRow("rows with an unproven picture", .unverifiedRows, Quantity.count),
          TableRow("late pictures kept off the screen", .stalePrevented, Quantity.count),
          TableRow("late frames", .lateFrames, Quantity.count),
          TableRow("hitches per second of scrolling", .hitches) { Quantity.decimal($0, places: 1) + " ms" },
        ]),
      TableSection(
        title: "where pictures came from",
        rows: [
          TableRow("memory", .memoryHits, Quantity.percent), TableRow("disk", .diskHits, Quantity.percent),
          TableRow("network", .networkHits, Quantity.percent),
          TableRow("loads that failed", .failedLoads, Quantity.count),
        ]),
      TableSection(
        title: "what it cost",
        rows: [
          TableRow("transfers", .transfers, Quantity.count),
          TableRow("transfers cancelled", .cancelledTransfers, Quantity.count),
          TableRow("duplicates in flight", .duplicateInFlight, Quantity.count),
          TableRow("received", .bytesDown, Quantity.bytes),
          TableRow("wasted on pictures never seen", .wastedBytes, Quantity.bytes),
          TableRow("received again", .refetchedBytes, Quantity.bytes),
          TableRow("memory cache, at most", .peakMemoryCost, Quantity.bytes),
          TableRow("memory of the whole process, at most", .peakResidentBytes, Quantity.bytes),
        ]),
    ]
  }
}
