/// The waits of several replicas, prepared for many joint estimates with different weights of the replicas.
struct PooledWaits: Sendable {
  /// The waits of one length in one replica.
  private struct Entry: Sendable {
    let replica: Int
    /// The number of waits that ended.
    let ended: Int
  }

  /// The lengths of waits that ended in any replica, in ascending order.
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
      for (ticks, count) in waits.counts where count.ended > 0 {
        entries[ticks, default: []].append(Entry(replica: replica, ended: count.ended))
      }
    }
    ticks = entries.keys.sorted()
    self.entries = ticks.flatMap { entries[$0] ?? [] }
    var end = 0
    ends = ticks.map { ticks in
      end += entries[ticks]?.count ?? 0
      return end
    }
    totals = replicas.map { $0.counts.values.reduce(0) { $0 + $1.ended + $1.cutShort } }
  }

  /// True if there are no waits.
  var isEmpty: Bool { totals.allSatisfy { $0 == 0 } }

  /// Returns the quantiles at `shares`, which are ascending, of the ``WaitDistribution`` if each wait of replica r counts
  /// `weights[r]` times. Quantiles are in ticks, and nil if too few waits reached them. O(waits up to the last quantile).
  func quantiles(at shares: [Double], weights: [Double]) -> [Int?] {
    let total = totals.indices.reduce(0) { $0 + weights[$1] * Double(totals[$1]) }
    var quantiles = shares.map { _ in Int?.none }
    var (next, ended, start) = (0, 0.0, 0)
    for position in ticks.indices where next < shares.count {
      for entry in entries[start..<ends[position]] { ended += weights[entry.replica] * Double(entry.ended) }
      start = ends[position]
      // The tolerance covers the rounding errors of the sums.
      while next < shares.count, ended > 0, ended >= shares[next] * total * (1 - 1e-9) {
        quantiles[next] = ticks[position]
        next += 1
      }
    }
    return quantiles
  }
}
