/// The waits of several replicas, prepared for many joint estimates with different weights of the replicas.
struct PooledWaits: Sendable {
  /// The waits of one length in one replica.
  private struct Entry: Sendable {
    let replica: Int
    /// The number of waits that ended without being censored, and of all waits.
    let ended, all: Int
  }

  /// The lengths that occur in any replica, in ascending order.
  private let ticks: [Int]
  /// The entries, grouped by length in the order of ``ticks``, and the end of each group.
  private let entries: [Entry]
  private let ends: [Int]
  /// The number of waits of each replica.
  private let totals: [Int]

  /// Pools the waits of `replicas`.
  init(_ replicas: [WaitHistogram]) {
    var entries: [Int: [Entry]] = [:]
    for (replica, waits) in replicas.enumerated() {
      for (ticks, count) in waits.counts {
        entries[ticks, default: []].append(
          Entry(replica: replica, ended: count.ended, all: count.ended + count.censored))
      }
    }
    ticks = entries.keys.sorted()
    self.entries = ticks.flatMap { entries[$0] ?? [] }
    var end = 0
    ends = ticks.map { ticks in
      end += entries[ticks]?.count ?? 0
      return end
    }
    totals = replicas.map { $0.counts.values.reduce(0) { $0 + $1.ended + $1.censored } }
  }

  /// True if there are no waits.
  var isEmpty: Bool { ticks.isEmpty }

  /// Returns the quantiles at `shares`, which are ascending, of the ``KaplanMeier`` estimate if replica r
  /// counts `weights[r]` times. Quantiles are in ticks, and nil if the estimate does not reach them. O(waits
  /// up to the last quantile).
  func quantiles(at shares: [Double], weights: [Int]) -> [Int?] {
    var waiting = 0
    for replica in totals.indices { waiting += weights[replica] * totals[replica] }
    var quantiles = shares.map { _ in Int?.none }
    var (next, surviving) = (0, 1.0)
    var start = 0
    for position in ticks.indices where next < shares.count {
      var (ended, all) = (0, 0)
      for entry in entries[start..<ends[position]] {
        ended += weights[entry.replica] * entry.ended
        all += weights[entry.replica] * entry.all
      }
      start = ends[position]
      if ended > 0 { surviving *= 1 - Double(ended) / Double(waiting) }
      waiting -= all
      while next < shares.count, surviving <= 1 - shares[next] + KaplanMeier.rounding, ended > 0 {
        quantiles[next] = ticks[position]
        next += 1
      }
    }
    return quantiles
  }
}
