internal import CCurl

/// Whether a name has no address, or nobody could tell: libcurl has one code for both.
extension CurlLoop {
  /// Has the system's resolver say why libcurl found no address for a hop, on a thread of its own, because it blocks. Nobody
  /// else looks the name up meanwhile, nor in its place when the hop is given up: there are as many threads as names are
  /// looked up at once.
  mutating func askResolver(about easy: CurlEasy) {
    guard let ticket = easy.ticket else { return }
    // It was not looked up for others. Digits that are no address are no name either (RFC 3696, section 2).
    guard easy.looksUp else { return fail(easy, lacksAddress: !easy.site.hasHostName) }
    easy.place = .resolver(since: easy.beganAt ?? timeline.now)
    let site = easy.site
    let thread = WorkThread { [mailbox, addresses] in
      _ = mailbox.post(.resolved(ticket, site: site, lacksAddress: addresses.lacksAddress(site.hostName)))
    }
    if thread == nil { return fail(easy, lacksAddress: false) }
    alarm.lower(to: easy.connectDeadline)
  }

  /// Takes what the resolver said of the name of `ticket`'s hop to `site`, which may have been given up.
  mutating func takeAnswer(_ ticket: CurlExchange, of site: String, _ lacksAddress: Bool) {
    guard let easy = running[ObjectIdentifier(ticket)] else { return release(names.leave(site, by: ticket)) }
    fail(easy, lacksAddress: lacksAddress)
  }

  private mutating func fail(_ easy: CurlEasy, lacksAddress: Bool) {
    let error =
      lacksAddress
      ? LoadError(.dns, "\(easy.origin) has a name that nobody knows an address of")
      : easy.error(for: CURLE_COULDNT_RESOLVE_HOST)
    settle(easy, .failure(error))
  }
}

/// The resolver of the system.
enum SystemResolver {
  /// Whether `host` has no address, and asking again soon gives none either. False when nobody could tell. Blocks.
  static func lacksAddress(_ host: String) -> Bool {
    // Nobody need be asked (RFC 6761, section 6.4).
    if host == "invalid" || host.hasSuffix(".invalid") { return true }
    return unsafe cellophane_curl_lacks_address(host)
  }
}
