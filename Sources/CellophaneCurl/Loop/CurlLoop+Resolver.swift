internal import CCurl

/// The distinction between a name without an address and a failed lookup, for which libcurl has one code.
extension CurlLoop {
  /// Asks the system's resolver for the reason that libcurl found no address, on a separate thread, because
  /// the call blocks.
  ///
  /// Until it answers, no other hop looks up the name, even if this hop is cancelled. The number of threads therefore
  /// never exceeds the limit of concurrent lookups.
  mutating func askResolver(about easy: CurlEasy) {
    guard let exchange = easy.exchange else { return }
    // No other hop waits for this name. An all-digit host that is not an address is not a name either (RFC
    // 3696, section 2).
    guard easy.ownsLookup else { return fail(easy, lacksAddress: !easy.authority.hasHostName) }
    easy.phase = .resolving(since: easy.startedAt ?? timeline.now)
    let authority = easy.authority
    let thread = WorkThread { [mailbox, addresses] in
      _ = mailbox.post(
        .resolved(exchange, authority: authority, lacksAddress: addresses.lacksAddress(authority.hostName)))
    }
    if thread == nil { return fail(easy, lacksAddress: false) }
    nextDeadline.lower(to: easy.connectDeadline)
  }

  /// Handles the resolver's result for the hop of `exchange` to `authority`, which may have been cancelled.
  mutating func takeResult(_ exchange: CurlExchange, of authority: String, _ lacksAddress: Bool) {
    guard let easy = running[ObjectIdentifier(exchange)] else {
      return release(names.leave(authority, by: exchange))
    }
    fail(easy, lacksAddress: lacksAddress)
  }

  private mutating func fail(_ easy: CurlEasy, lacksAddress: Bool) {
    let error =
      lacksAddress
      ? LoadError(.dns, "\(easy.origin) cannot be reached: the host name does not exist; check the URL")
      : easy.error(for: CURLE_COULDNT_RESOLVE_HOST)
    settle(easy, .failure(error))
  }
}

/// The system's resolver.
enum SystemResolver {
  /// Returns whether `host` has no address and a retry would not help; false if the lookup failed otherwise.
  /// Blocks.
  static func lacksAddress(_ host: String) -> Bool {
    // This name never has an address (RFC 6761, section 6.4).
    if host == "invalid" || host.hasSuffix(".invalid") { return true }
    return unsafe cellophane_curl_lacks_address(host)
  }
}
