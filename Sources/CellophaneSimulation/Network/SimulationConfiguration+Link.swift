extension SimulationConfiguration.Network {
  /// Returns the link that a transport models.
  ///
  /// - Parameter connections: The maximum number of HTTP/1.1 connections; nil for no limit.
  func link(connections: Int?, seed: UInt64) -> ModeledLink {
    ModeledLink(
      profile: profile, rates: profile.rates(seed: seed),
      sharing: http == .http1 ? .http1(limit: connections) : .multiplexed, handshakes: handshakes,
      think: ThinkTime(median: think, sigma: thinkSigma), maxDrainedBytes: drainBytes,
      scheduling: http.scheduling, isOrdered: http != .http3, idleRestart: idleRestart, seed: seed)
  }

  /// The number of round trips of a connection's handshakes.
  private var handshakes: Int {
    if http == .http3 { return isWarm ? 0 : 1 }
    return tls ? 2 : 1
  }
}

extension HTTPVersion {
  /// The order in which servers send the streams of a connection.
  fileprivate var scheduling: StreamScheduling {
    switch self {
    case .http1, .http2, .http3: .urgency
    case .http2FIFO: .fifo
    case .http2RoundRobin: .roundRobin
    }
  }
}
