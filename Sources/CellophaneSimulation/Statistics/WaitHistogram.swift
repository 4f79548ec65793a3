/// How long things were waited for, counted in whole ticks: of vsyncs, a wait is always a whole number. Takes
/// memory for each length that occurs, not for each wait, and loses nothing.
struct WaitHistogram: Additive, Hashable {
  /// The waits of one length.
  struct Count: Sendable, Hashable {
    /// Those that ended with what was waited for.
    var over = 0
    /// Those that were cut short.
    var cut = 0
  }

  private(set) var counts: [Int: Count] = [:]

  /// No waits yet.
  init() {}

  /// Waits of these counts by length.
  init(_ counts: [Int: Count]) { self.counts = counts }

  /// Adds a wait.
  mutating func add(_ ticks: Int, isOver: Bool) {
    if isOver { counts[ticks, default: Count()].over += 1 } else { counts[ticks, default: Count()].cut += 1 }
  }

  static func += (sum: inout WaitHistogram, other: WaitHistogram) {
    sum.counts.merge(other.counts) { Count(over: $0.over + $1.over, cut: $0.cut + $1.cut) }
  }

  /// The lengths that occur, shortest first.
  var sorted: [(ticks: Int, count: Count)] {
    counts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
