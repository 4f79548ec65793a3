extension SimulationConfiguration.Network {
  /// Returns the link that a transport models.
  ///
  /// - Parameter connections: The maximum number of HTTP/1.1 connections; nil for no limit.
  func link(connections: Int?, seed: UInt64) -> ModeledLink {
    ModeledLink(
      profile: profile, rates: profile.rates(seed: seed),
      sharing: http == 2 ? .http2 : .http1(limit: connections), usesTLS: tls,
      think: ThinkTime(median: think, sigma: thinkSigma), maxDrainedBytes: drainBytes,
      idleRestart: idleRestart,
      seed: seed)
  }
}
