/// The waits of several replicas, laid out to be estimated together over and over, each replica with a weight.
struct PooledWaits: Sendable {
  private struct Entry: Sendable {
    /// The place of its length among ``ticks``.
    let place: Int
    let over, cut: Int
  }

  /// The lengths that occur in any replica, shortest first.
  private let ticks: [Int]
  /// The waits of each replica.
  private let replicas: [[Entry]]

  /// The waits of `replicas`.
  init(_ replicas: [WaitHistogram]) {
    let ticks = Set(replicas.flatMap(\.counts.keys)).sorted()
    let places = Dictionary(uniqueKeysWithValues: ticks.enumerated().map { ($1, $0) })
    self.ticks = ticks
    self.replicas = replicas.map { replica in
      replica.sorted.compactMap { ticks, count in
        places[ticks].map { Entry(place: $0, over: count.over, cut: count.cut) }
      }
    }
  }

  /// The quantiles at `shares`, ascending, of the ``KaplanMeier`` estimate when replica r counts `weights[r]` times, in
  /// ticks; nil for those that the estimate does not reach.
  func quantiles(at shares: [Double], weights: [Int]) -> [Int?] {
    var over = Array(repeating: 0, count: ticks.count)
    var all = over
    var waiting = 0
    for (replica, weight) in weights.enumerated() where weight > 0 {
      for entry in replicas[replica] {
        over[entry.place] += weight * entry.over
        all[entry.place] += weight * (entry.over + entry.cut)
      }
    }
    for count in all { waiting += count }
    var quantiles = shares.map { _ in Int?.none }
    var (next, surviving) = (0, 1.0)
    for place in ticks.indices where next < shares.count {
      if over[place] > 0 { surviving *= 1 - Double(over[place]) / Double(waiting) }
      waiting -= all[place]
      while next < shares.count, surviving <= 1 - shares[next] + KaplanMeier.rounding, over[place] > 0 {
        quantiles[next] = ticks[place]
        next += 1
      }
    }
    return quantiles
  }
}
