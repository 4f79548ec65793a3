internal import CCurl

/// Whether a name has no address, or nobody could tell: libcurl has one code for both.
extension CurlLoop {
  /// Has the system's resolver say why libcurl found no address for a hop, on a thread of its own, because it blocks. Nobody
  /// else looks the name up meanwhile.
  mutating func askResolver(about easy: CurlEasy) {
    guard let ticket = easy.ticket else { return }
    easy.place = .resolver(since: easy.beganAt ?? timeline.now)
    let host = easy.site.hostName
    let thread = WorkThread { [mailbox, lacksAddress] in
      _ = mailbox.post(.resolved(ticket, lacksAddress: lacksAddress(host)))
    }
    if thread == nil { return settle(easy, .failure(easy.error(for: CURLE_COULDNT_RESOLVE_HOST))) }
    alarm.lower(to: easy.connectDeadline)
  }

  /// Takes what the resolver said of the name of `ticket`'s hop.
  mutating func takeAnswer(_ ticket: CurlTicket, lacksAddress: Bool) {
    guard let easy = running[ObjectIdentifier(ticket)], case .resolver = easy.place else { return }
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
