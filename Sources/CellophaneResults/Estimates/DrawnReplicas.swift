/// The replicas of one loader with bootstrap draws, which its intervals and all differences share.
struct DrawnReplicas: Sendable {
  let replicas: [Measurement]
  let bootstrap: Bootstrap
  /// The quantiles of each wait in each draw, in ms; infinite if a quantile is not reached.
  let quantiles: [WaitMetric: [WaitEstimate.Quantile: [Double]]]

  /// Draws from `replicas` with `bootstrap`.
  init(_ replicas: [Measurement], _ bootstrap: Bootstrap) {
    self.replicas = replicas
    self.bootstrap = bootstrap
    let all = WaitEstimate.Quantile.allCases
    quantiles = Dictionary(
      uniqueKeysWithValues: WaitMetric.allCases.map { metric in
        let tick = 1_000 / Double(replicas.ticksPerSecond(metric))
        let samples = bootstrap.quantiles(of: PooledWaits(replicas.waits(metric)), at: all.map(\.share))
        return (
          metric, Dictionary(uniqueKeysWithValues: zip(all, samples.map { $0.map { $0 * tick } }))
        )
      })
  }
}
