/// One line of the table of a result.
struct TableRow: Sendable {
  /// What it shows.
  enum Number: Sendable {
    case path(MetricPath)
    /// How many waits there were.
    case count(@Sendable (WaitEstimate) -> Int)
  }

  let label: String
  let number: Number
  let format: @Sendable (Double) -> String
  /// Whether it says something of lists with previews only.
  let isOfPreviews: Bool

  private init(
    _ label: String, _ metric: Metric, _ format: @escaping @Sendable (Double) -> String,
    ofPreviews: Bool = false
  ) {
    self.label = label
    isOfPreviews = ofPreviews
    number = .path(.metric(metric))
    self.format = format
  }

  private init(
    _ label: String, _ metric: WaitMetric, _ quantile: WaitEstimate.Quantile, ofPreviews: Bool = false
  ) {
    self.label = label
    isOfPreviews = ofPreviews
    number = .path(.quantile(metric, quantile))
    format = Quantity.milliseconds
  }

  private init(_ label: String, count: @escaping @Sendable (WaitEstimate) -> Int) {
    self.label = label
    isOfPreviews = false
    number = .count(count)
    format = Quantity.count
  }

  /// A difference of two of its numbers: of shares, in percentage points.
  func difference(_ value: Double) -> String { format(value).replacing(" %", with: " pp") }

  /// What it shows of `run`; a quantile that is not known is larger than the longest wait.
  func text(of run: RunMetrics) -> String {
    switch number {
    case .path(.metric(let metric)): return run[metric].map(format) ?? Quantity.unknown
    case .path(.quantile(let metric, let quantile)):
      if let value = run[metric][quantile] { return format(value) }
      return run[metric].longest.map { ">" + format($0) } ?? Quantity.unknown
    case .count(let count): return format(Double(count(run.timeToImage)))
    }
  }

  /// Lines under a title.
  struct Section: Sendable {
    let title: String
    let rows: [TableRow]
  }

  /// All lines.
  static let sections = [
    Section(
      title: "time to image",
      rows: [
        TableRow("for 50 % of the rows, within", .timeToImage, .p50),
        TableRow("for 75 %, within", .timeToImage, .p75), TableRow("for 90 %, within", .timeToImage, .p90),
        TableRow("for 95 %, within", .timeToImage, .p95), TableRow("rows that came in", count: \.count),
        TableRow("rows that left before it", count: \.censored),
      ]),
    Section(
      title: "what the viewer saw",
      rows: [
        TableRow("blank share of picture area", .blankRatio, Quantity.percent),
        TableRow("blank share while at rest", .blankRatioAtRest, Quantity.percent),
        TableRow("area with only a preview", .previewRatio, Quantity.percent, ofPreviews: true),
        TableRow("preview or picture, 50 % within", .timeToPreview, .p50, ofPreviews: true),
        TableRow("preview or picture, 90 % within", .timeToPreview, .p90, ofPreviews: true),
        TableRow("there in the first frame", .readyOnAppear, Quantity.percent),
        TableRow("whole 50 % of stops, within", .settleTime, .p50),
        TableRow("whole 90 % of stops, within", .settleTime, .p90),
        TableRow("pictures popping in at rest", .popInsAtRest, Quantity.count),
        TableRow("wrong pictures shown", .misplacedEvents, Quantity.count),
        TableRow("wrong picture on screen for", .misplacedMilliseconds, Quantity.milliseconds),
        TableRow("older than the origin's for", .staleMilliseconds, Quantity.milliseconds),
        TableRow("rows with an unproven picture", .unverifiedRows, Quantity.count),
        TableRow("late pictures kept off", .stalePrevented, Quantity.count),
        TableRow("late frames", .lateFrames, Quantity.count),
        TableRow("hitches per s of scrolling", .hitches) { Quantity.decimal($0, places: 1) + " ms" },
      ]),
    Section(
      title: "where pictures came from",
      rows: [
        TableRow("memory", .memoryHits, Quantity.percent), TableRow("disk", .diskHits, Quantity.percent),
        TableRow("network", .networkHits, Quantity.percent),
        TableRow("memory's bound on demand", .bestMemoryHits, Quantity.percent),
        TableRow("its policy alone, below that", .memoryRegret, Quantity.percent),
        TableRow("of bytes loaded ahead, shown", .prefetchPrecision, Quantity.percent),
        TableRow("of pictures fetched, ahead", .prefetchRecall, Quantity.percent),
        TableRow("of these, in time", .prefetchTimely, Quantity.percent),
        TableRow("loads that failed", .failedLoads, Quantity.count),
      ]),
    Section(
      title: "what it cost",
      rows: [
        TableRow("transfers", .transfers, Quantity.count),
        TableRow("transfers cancelled", .cancelledTransfers, Quantity.count),
        TableRow("duplicates in flight", .duplicateInFlight, Quantity.count),
        TableRow("connections opened", .connectionsOpened, Quantity.count),
        TableRow("received", .bytesDown, Quantity.bytes),
        TableRow("wasted on pictures never seen", .wastedBytes, Quantity.bytes),
        TableRow("received again", .refetchedBytes, Quantity.bytes),
        TableRow("decoded for nobody", .decodingWasted, Quantity.milliseconds),
        TableRow("memory cache, at most", .peakMemoryCost, Quantity.bytes),
        TableRow("process memory, at most", .peakResidentBytes, Quantity.bytes),
      ]),
  ]

  /// What the bound of the memory cache is a bound of.
  static let bestMemory =
    "memory's bound on demand: the most that a cache of this size answers that knows\n"
    + "the future and keeps only what slots asked for; loading ahead can answer more."

  /// Those that are told of phases, too.
  static let ofPhases = [
    TableRow("blank share of picture area", .blankRatio, Quantity.percent),
    TableRow("there in the first frame", .readyOnAppear, Quantity.percent),
    TableRow("time to image for 75 %, within", .timeToImage, .p75),
    TableRow("time to image for 95 %, within", .timeToImage, .p95),
    TableRow("rows that came in", count: \.count),
    TableRow("received", .bytesDown, Quantity.bytes),
  ]
}
