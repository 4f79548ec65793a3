/// A histogram of waits, counted in whole ticks: a wait that is measured in vsyncs is a whole number. It
/// needs memory for each length that occurs, not for each wait, and loses no information.
package struct WaitHistogram: Additive, Hashable {
  /// The waits of one length.
  struct Count: Sendable, Hashable {
    /// The waits that ended: the awaited image arrived.
    var ended = 0
    /// The waits that were cut short.
    var cutShort = 0
  }

  private(set) var counts: [Int: Count] = [:]

  /// Creates an empty histogram.
  package init() {}

  /// Creates a histogram from counts by length.
  init(_ counts: [Int: Count]) { self.counts = counts }

  /// Adds a wait.
  ///
  /// - Parameter hasEnded: False if the wait is cut short.
  package mutating func add(_ ticks: Int, hasEnded: Bool) {
    if hasEnded {
      counts[ticks, default: Count()].ended += 1
    } else {
      counts[ticks, default: Count()].cutShort += 1
    }
  }

  package static func += (sum: inout WaitHistogram, other: WaitHistogram) {
    sum.counts.merge(other.counts) { Count(ended: $0.ended + $1.ended, cutShort: $0.cutShort + $1.cutShort) }
  }

  /// Returns the share of all waits that ended within `ticks`; nil without waits.
  func shareEnded(within ticks: Int) -> Double? {
    var (ended, all) = (0, 0)
    for (length, count) in counts {
      all += count.ended + count.cutShort
      if length <= ticks { ended += count.ended }
    }
    return all > 0 ? Double(ended) / Double(all) : nil
  }

  /// The counts by length, in ascending order.
  var sorted: [(ticks: Int, count: Count)] {
    counts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
