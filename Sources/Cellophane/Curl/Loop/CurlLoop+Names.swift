extension CurlLoop {
  /// Has a prepared hop wait until its host may be looked up, or has an address; one that needs none goes on.
  mutating func findAddress(for easy: CurlEasy, _ ticket: CurlExchange) {
    guard easy.site.hasHostName else { return join(easy) }
    switch names.arrive(ticket, at: easy.site, now: timeline.now) {
    case .goesOn: join(easy)
    case .looksUp: release(NameLookups.Release(go: [ticket]))
    case .waits: break
    }
  }

  /// Lets those go on whose hosts have addresses, and who look up others after them.
  mutating func takeAddresses() {
    if multi.sockets.addressed.isEmpty { return }
    var addressed: [(ticket: CurlExchange, site: String)] = []
    swap(&addressed, &multi.sockets.addressed)
    for (ticket, site) in addressed { release(names.found(site, by: ticket, now: timeline.now)) }
  }

  mutating func release(
    _ release: NameLookups<CurlExchange>.Release, because error: LoadError = .cancelled
  ) {
    for ticket in release.refused {
      if let easy = running[ObjectIdentifier(ticket)] { settle(easy, .failure(error)) }
    }
    for ticket in release.go {
      guard let easy = running[ObjectIdentifier(ticket)] else { continue }
      easy.looksUp = true
      join(easy)
    }
  }

  /// Notes that the hop of `ticket` to `site` is over, which tells those who wait when there is no address.
  mutating func leaveNames(
    of site: String, _ ticket: CurlExchange, _ outcome: Result<TransportResponse, LoadError>
  ) {
    if case .failure(let error) = outcome, error.kind == .dns {
      release(names.failed(site, by: ticket), because: error)
    } else {
      release(names.leave(site, by: ticket))
    }
  }
}
