/// The replicas of one loader, and what a bootstrap drew from them: drawn once for its intervals and for all differences.
struct DrawnReplicas: Sendable {
  let replicas: [Measurement]
  let bootstrap: Bootstrap
  /// For every wait, the quantiles of the waits of each draw, in ms; infinite where they are not reached.
  let quantiles: [WaitMetric: [WaitEstimate.Quantile: [Double]]]

  /// `replicas`, with the draws of `bootstrap`.
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
