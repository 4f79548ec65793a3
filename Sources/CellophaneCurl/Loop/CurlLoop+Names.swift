extension CurlLoop {
  /// Makes a prepared hop wait for the address of its host, or for permission to look it up. A hop that needs
  /// no lookup continues.
  mutating func findAddress(for easy: CurlEasy, _ exchange: CurlExchange) {
    guard easy.authority.hasHostName else { return join(easy) }
    switch names.request(easy.authority, by: exchange, now: timeline.now) {
    case .proceed: join(easy)
    case .lookUp: release(NameLookups.Release(proceeding: [exchange]))
    case .wait: break
    }
  }

  /// Continues the hops whose hosts now have addresses, and starts the next lookups.
  mutating func takeAddresses() {
    if multi.sockets.resolved.isEmpty { return }
    var resolved: [(exchange: CurlExchange, authority: String)] = []
    swap(&resolved, &multi.sockets.resolved)
    for (exchange, authority) in resolved { release(names.found(authority, by: exchange, now: timeline.now)) }
  }

  mutating func release(
    _ release: NameLookups<CurlExchange>.Release, because error: LoadError = .cancelled
  ) {
    for exchange in release.failed {
      if let easy = running[ObjectIdentifier(exchange)] { settle(easy, .failure(error)) }
    }
    for exchange in release.proceeding {
      guard let easy = running[ObjectIdentifier(exchange)] else { continue }
      easy.ownsLookup = true
      join(easy)
    }
  }

  /// Records that the hop of `exchange` to `authority` is over. Without an address, the hops that wait for it
  /// fail too.
  mutating func leaveNames(
    of authority: String, _ exchange: CurlExchange, _ outcome: Result<TransportResponse, LoadError>
  ) {
    if case .failure(let error) = outcome, error.kind == .dns {
      release(names.failed(authority, by: exchange), because: error)
    } else {
      release(names.leave(authority, by: exchange))
    }
  }
}
