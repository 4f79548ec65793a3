/// A row of the table of a result.
package struct TableRow: Sendable {
  /// The number in the row.
  enum Number: Sendable {
    case path(MetricPath)
    /// A number that follows from fields of the JSON, and its formula; nil if unknown.
    case derived(_ formula: String, @Sendable (RunMetrics) -> Double?)
  }

  let label: String
  let number: Number
  let format: @Sendable (Double) -> String
  /// True if the row applies only to lists that show previews.
  let needsPreviews: Bool
  /// True if the row applies only to runs with ``SimulationConfiguration/foresight``.
  let needsForesight: Bool

  init(
    _ label: String, _ metric: Metric, _ format: @escaping @Sendable (Double) -> String,
    needsPreviews: Bool = false, needsForesight: Bool = false
  ) {
    self.label = label
    self.needsPreviews = needsPreviews
    self.needsForesight = needsForesight
    number = .path(.metric(metric))
    self.format = format
  }

  init(
    _ label: String, _ metric: WaitMetric, _ quantile: WaitEstimate.Quantile, needsPreviews: Bool = false
  ) {
    self.label = label
    self.needsPreviews = needsPreviews
    needsForesight = false
    number = .path(.quantile(metric, quantile))
    format = Quantity.milliseconds
  }

  private init(_ label: String, formula: String, derived: @escaping @Sendable (RunMetrics) -> Double?) {
    self.label = label
    needsPreviews = false
    needsForesight = false
    number = .derived(formula, derived)
    format = Quantity.percent
  }

  /// Returns a difference of two numbers of the row; of shares in percentage points.
  func difference(_ value: Double) -> String { format(value).replacing(" %", with: " pp") }

  /// Returns two formatted numbers as `1.9 to 3.8 %`, with one unit if both have the same.
  static func range(_ first: String, _ second: String) -> String {
    let unit = second.drop { $0 != " " }
    return (first.hasSuffix(unit) ? String(first.dropLast(unit.count)) : first) + " to " + second
  }

  /// Returns the number for `run`.
  func text(of run: RunMetrics) -> String {
    switch number {
    case .path(let path): text(run[path], isNever: run.isNever(path), format)
    case .derived(_, let value): value(run).map(format) ?? Quantity.unknown
    }
  }

  /// Returns the text of a number; `never` for a quantile that too few waits reached.
  func text(_ value: Double?, isNever: Bool, _ format: (Double) -> String) -> String {
    value.map(format) ?? (isNever ? "never" : Quantity.unknown)
  }

  /// Rows with a title.
  struct Section: Sendable {
    let title: String
    let rows: [TableRow]
  }

  /// All rows.
  static let sections = [
    Section(
      title: "time to image",
      rows: [
        TableRow("p50", .timeToImage, .p50),
        TableRow("p75", .timeToImage, .p75), TableRow("p90", .timeToImage, .p90),
        TableRow("p95", .timeToImage, .p95),
        TableRow("image within 100 ms", .seenWithin100ms, Quantity.percent),
        TableRow("image within 400 ms", .seenWithin400ms, Quantity.percent),
        TableRow("image within 1 s", .seenWithin1s, Quantity.percent),
        TableRow("rows that entered the screen", .appearances, Quantity.count),
        TableRow("of these, left before image", formula: "n_cut_short / n of time_to_image") { run in
          let wait = run.timeToImage
          return wait.count > 0 ? Double(wait.cutShort) / Double(wait.count) : nil
        },
      ]),
    Section(
      title: "on screen",
      rows: [
        TableRow("blank area (average)", .blankRatio, Quantity.percent),
        TableRow("blank area, present known", .foresight0s, Quantity.percent, needsForesight: true),
        TableRow("blank area, next second known", .foresight1s, Quantity.percent, needsForesight: true),
        TableRow("blank area, next 3 s known", .foresight3s, Quantity.percent, needsForesight: true),
        TableRow("blank area, all known", .foresightAll, Quantity.percent, needsForesight: true),
        TableRow("blank area while at rest", .blankRatioAtRest, Quantity.percent),
        TableRow("area with only a preview", .previewRatio, Quantity.percent, needsPreviews: true),
        TableRow("time to preview or image, p50", .timeToPreview, .p50, needsPreviews: true),
        TableRow("time to preview or image, p90", .timeToPreview, .p90, needsPreviews: true),
        TableRow("ready in the row's first frame", .readyOnAppear, Quantity.percent),
        TableRow("first screen complete, p50", .firstScreen, .p50),
        TableRow("complete after start/stop, p50", .settleTime, .p50),
        TableRow("complete after start/stop, p90", .settleTime, .p90),
        TableRow("late images while at rest", .popInsAtRest, Quantity.count),
        TableRow("wrong images shown", .misplacedEvents, Quantity.count),
        TableRow("wrong image on screen for", .misplacedMilliseconds, Quantity.milliseconds),
        TableRow("old version on screen for", .staleMilliseconds, Quantity.milliseconds),
        TableRow("image could not be verified", .unverifiedRows, Quantity.count),
        TableRow("requests cancelled, row left", .staleCancelled, Quantity.count),
        TableRow("late results discarded", .staleDropped, Quantity.count),
        TableRow("late frames", .lateFrames, Quantity.count),
        TableRow("hitch time per s of scrolling", .hitches) { Quantity.decimal($0, places: 1) + " ms" },
      ]),
    Section(
      title: "image sources",
      rows: [
        TableRow("memory", .memoryHits, Quantity.percent), TableRow("disk", .diskHits, Quantity.percent),
        TableRow("network", .networkHits, Quantity.percent),
        TableRow(
          "none (row left, load failed)",
          formula: "1 - hit_ratio.memory - hit_ratio.disk - hit_ratio.network"
        ) { run in
          guard let memory = run[.memoryHits], let disk = run[.diskHits], let network = run[.networkHits]
          else { return nil }
          return max(0, 1 - memory - disk - network)
        },
      ]),
    Section(
      title: "memory policy and prefetching",
      rows: [
        TableRow("ideal memory, no prefetching", .bestMemoryHits, Quantity.percent),
        TableRow("fewer hits with the policy", .memoryRegret, Quantity.percent),
        TableRow("prefetched bytes shown", .prefetchPrecision, Quantity.percent),
        TableRow("images prefetched", .prefetchRecall, Quantity.percent),
        TableRow("prefetched in time", .prefetchTimely, Quantity.percent),
      ]),
    Section(
      title: "cost",
      rows: [
        TableRow("transfers", .transfers, Quantity.count),
        TableRow("transfers cancelled", .cancelledTransfers, Quantity.count),
        TableRow("failed loads", .failedLoads, Quantity.count),
        TableRow("duplicates in flight", .duplicateInFlight, Quantity.count),
        TableRow("connections opened", .connectionsOpened, Quantity.count),
        TableRow("bytes received", .bytesDown, Quantity.bytes),
        TableRow("received but never shown", .wastedBytes, Quantity.bytes),
        TableRow("downloaded twice", .refetchedBytes, Quantity.bytes),
        TableRow("wasted decoding", .decodingWasted, Quantity.milliseconds),
        TableRow("animation frames", .animationFrames, Quantity.count),
        TableRow("animation frames late", .animationLate, Quantity.percent),
        TableRow("peak memory cache", .peakMemoryCost, Quantity.bytes),
        TableRow("peak process memory", .peakResidentBytes, Quantity.bytes),
      ]),
  ]

  /// A metric with its definition, for the tool.
  package struct Definition: Sendable {
    /// The names that ``Assertion`` accepts: one, or one for each quantile of a waiting time.
    package let names: [String]
    /// The unit, such as `share` or `ms`.
    package let unit: String
    /// The direction of improvement in words; nil if neither direction is better by itself.
    package let better: String?
    /// The rows of the table that show the metric; empty if no row does.
    package let rows: String
    /// The definition in one line.
    package let meaning: String
  }

  /// The definitions of all metrics, in the order of results.
  package static var definitions: [Definition] {
    let metrics = Metric.allCases.map { metric in
      Definition(
        [.metric(metric)], unit: metric.isShare ? "share" : metric.unit == "1" ? "count" : metric.unit,
        metric.meaning)
    }
    let waits = WaitMetric.allCases.map { metric in
      Definition(
        WaitEstimate.Quantile.allCases.map { .quantile(metric, $0) }, unit: "ms", metric.meaning)
    }
    return metrics + waits + [
      Definition(
        names: [Assertion.Number.oracleGap.text], unit: "share", better: Metric.Direction.lower.words,
        rows: "",
        meaning: "blank_ratio minus the lowest blank share that any loader could reach on this network")
    ]
  }

  /// A description of the rows that are no metrics, for the tool.
  package static var derivedRows: String {
    let rows = sections.flatMap(\.rows).compactMap { row in
      if case .derived(let formula, _) = row.number { "\(row.label) = \(formula)" } else { nil }
    }
    return "Rows without a metric, only in the table of one run: " + rows.joined(separator: "; ") + "."
  }

  /// The rows of the table of phases.
  static let phaseRows = [
    TableRow("blank area (average)", .blankRatio, Quantity.percent),
    TableRow("ready in the row's first frame", .readyOnAppear, Quantity.percent),
    TableRow("image within 400 ms", .seenWithin400ms, Quantity.percent),
    TableRow("time to image, p95", .timeToImage, .p95),
    TableRow("rows that entered the screen", .appearances, Quantity.count),
    TableRow("bytes received", .bytesDown, Quantity.bytes),
  ]
}

extension TableRow.Definition {
  fileprivate init(_ paths: [MetricPath], unit: String, _ meaning: String) {
    let shown = TableRow.sections.compactMap { section -> String? in
      let labels = section.rows.compactMap { row -> String? in
        if case .path(let path) = row.number, paths.contains(path) { row.label } else { nil }
      }
      return labels.isEmpty ? nil : section.title + ": " + labels.joined(separator: "; ")
    }
    self.init(
      names: paths.map(\.text), unit: unit, better: paths.first?.better?.words,
      rows: shown.joined(separator: "; "),
      meaning: meaning)
  }
}

extension Metric.Direction {
  fileprivate var words: String { rawValue + " is better" }
}
