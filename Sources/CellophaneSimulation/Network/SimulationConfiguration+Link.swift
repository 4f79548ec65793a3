extension SimulationConfiguration.Network {
  /// Returns the link that a transport models.
  ///
  /// - Parameter connections: The maximum number of HTTP/1.1 connections; nil for no limit.
  func link(connections: Int?, seed: UInt64) -> ModeledLink {
    ModeledLink(
      profile: profile, rates: profile.rates(seed: seed),
      sharing: http == .http1 ? .http1(limit: connections) : .multiplexed, usesTLS: tls,
      think: ThinkTime(median: think, sigma: thinkSigma), maxDrainedBytes: drainBytes,
      scheduling: http.scheduling,
      idleRestart: idleRestart, seed: seed)
  }
}

extension HTTPVersion {
  /// The order in which servers send the streams of a connection.
  fileprivate var scheduling: StreamScheduling {
    switch self {
    case .http1, .http2: .urgency
    case .http2FIFO: .fifo
    case .http2RoundRobin: .roundRobin
    }
  }
}
