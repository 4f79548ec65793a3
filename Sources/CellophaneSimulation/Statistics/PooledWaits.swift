/// The waits of several replicas, laid out to be estimated together over and over, each replica with a weight.
struct PooledWaits: Sendable {
  /// The waits of one length in one replica.
  private struct Entry: Sendable {
    let replica: Int
    /// Those that ended with what was waited for, and all.
    let over, all: Int
  }

  /// The lengths that occur in any replica, shortest first.
  private let ticks: [Int]
  /// The entries of one length after those of another, and where those of each end.
  private let entries: [Entry]
  private let ends: [Int]
  /// How many waits each replica has.
  private let totals: [Int]

  /// The waits of `replicas`.
  init(_ replicas: [WaitHistogram]) {
    var entries: [Int: [Entry]] = [:]
    for (replica, waits) in replicas.enumerated() {
      for (ticks, count) in waits.counts {
        entries[ticks, default: []].append(
          Entry(replica: replica, over: count.over, all: count.over + count.cut))
      }
    }
    ticks = entries.keys.sorted()
    self.entries = ticks.flatMap { entries[$0] ?? [] }
    var end = 0
    ends = ticks.map { ticks in
      end += entries[ticks]?.count ?? 0
      return end
    }
    totals = replicas.map { $0.counts.values.reduce(0) { $0 + $1.over + $1.cut } }
  }

  /// True when nothing was waited for.
  var isEmpty: Bool { ticks.isEmpty }

  /// The quantiles at `shares`, ascending, of the ``KaplanMeier`` estimate when replica r counts `weights[r]` times, in
  /// ticks; nil for those that the estimate does not reach. O(waits up to the last of them).
  func quantiles(at shares: [Double], weights: [Int]) -> [Int?] {
    var waiting = 0
    for replica in totals.indices { waiting += weights[replica] * totals[replica] }
    var quantiles = shares.map { _ in Int?.none }
    var (next, surviving) = (0, 1.0)
    var start = 0
    for place in ticks.indices where next < shares.count {
      var (over, all) = (0, 0)
      for entry in entries[start..<ends[place]] {
        over += weights[entry.replica] * entry.over
        all += weights[entry.replica] * entry.all
      }
      start = ends[place]
      if over > 0 { surviving *= 1 - Double(over) / Double(waiting) }
      waiting -= all
      while next < shares.count, surviving <= 1 - shares[next] + KaplanMeier.rounding, over > 0 {
        quantiles[next] = ticks[place]
        next += 1
      }
    }
    return quantiles
  }
}
