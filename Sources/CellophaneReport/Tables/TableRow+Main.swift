extension TableRow {
  /// The six rows that matter first. Three are about the images that a viewer sees while the list moves: how much is
  /// missing, how much is there soon, how much at once. One is about a stop, and two are about the cost.
  static let main = [
    TableRow("blank area (average)", .blankRatio, Quantity.percent),
    TableRow("image within 400 ms", .seenWithin400ms, Quantity.percent),
    TableRow("ready in the row's first frame", .readyOnAppear, Quantity.percent),
    TableRow("complete after start/stop, p90", .settleTime, .p90),
    TableRow("bytes received", .bytesDown, Quantity.bytes),
    TableRow("received but never shown", .wastedBytes, Quantity.bytes),
  ]

  /// The six rows after ``main``. A table without `--all` has no others.
  static let more = [
    TableRow("blank area while at rest", .blankRatioAtRest, Quantity.percent),
    TableRow("time to image, p50", .timeToImage, .p50),
    TableRow("time to image, p95", .timeToImage, .p95),
    TableRow("wrong images shown", .misplacedEvents, Quantity.count),
    TableRow("requests answered from memory", .memoryHits, Quantity.percent),
    TableRow("transfers", .transfers, Quantity.count),
  ]

  /// Returns the sections of a text table: all rows, or ``main`` and ``more`` without titles.
  static func sections(all: Bool) -> [Section] {
    all ? sections : [Section(title: "", rows: main), Section(title: "", rows: more)]
  }
}
