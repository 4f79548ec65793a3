internal import CCurl

/// The response of a hop, and its defects.
extension CurlEasy {
  /// Returns the response of the finished hop.
  func response() -> TransportResponse {
    var response = head
    response.isCloseDelimited = parser.isCloseDelimited
    response.timings = timings
    response.timings += earlierTimings
    response.body = parser.body.bytes
    return response
  }

  /// The response without its body, as soon as the head is complete.
  var head: TransportResponse {
    let wait = (parser.firstByteAt ?? .zero) - (parser.sentAt ?? parser.firstByteAt ?? .zero)
    var head = TransportResponse(
      status: parser.head.status, headers: parser.head.fields, url: hop.url, redirects: redirects,
      timeToFirstByte: wait)
    head.sharesConnection = !isFile && !parser.head.isHTTP1
    return head
  }

  /// The error for a finished response that is incomplete or exceeds a limit; nil if it is complete.
  var defect: LoadError? {
    if parser.hasStatusOnly { return nil }
    return parser.defect(hasHead: !isFile, from: { origin }) ?? overrun
  }

  /// The error for a hop whose connection delivered more than the limit for its body, or more than its head
  /// declares. Checked during and at the end of the response, because libcurl silently skips chunk extensions
  /// and bytes after a body.
  var overrun: LoadError? {
    (receivedAtEnd ?? connection.flatMap(received(over:))).flatMap { overrun(after: $0) }
  }

  /// The time between two checks of the bytes received over the connection. 250 ms: a flood detected that
  /// late has cost a quarter of a second. 10 ms for a page that is discarded.
  var checkInterval: Duration { .milliseconds(parser.hasStatusOnly ? 10 : 250) }

  /// Returns the number of bytes received over `connection`: exact if one more byte would exceed a limit,
  /// otherwise from the faster count, which may be one too high.
  func received(over connection: CurlSockets.Connection) -> Int? {
    connection.receivedAtMost.flatMap { overrun(after: $0) == nil ? $0 : connection.received }
  }

  /// Returns the same error after `received` bytes over the connection in total.
  private func overrun(after received: Int) -> LoadError? {
    guard parser.head.isHTTP1, let receivedBefore, let exchange else { return nil }
    // The response through a proxy may be wrapped as well.
    if Self.countsAreComparable, !attempt.usesProxy, !parser.hasStatusOnly,
      let excess = parser.excess(received - receivedBefore, from: { origin })
    {
      return excess
    }
    let length =
      parser.hasStatusOnly ? ResponseParser.maxUselessBody : exchange.request.limits.bodyBytes
    return parser.overrun(received - receivedBefore, of: length, from: { origin })
  }

  /// True if the bytes of heads and the bytes of the connection are comparable. Darwin counts retransmitted
  /// bytes twice.
  private static let countsAreComparable: Bool = {
    #if os(Linux)
      cellophane_curl_reports_raw_heads() != 0
    #else
      false
    #endif
  }()

  /// Records the redirect for the response at the end of the chain.
  func noteRedirect() {
    redirects.append(
      TransportResponse.Redirect(status: parser.head.status, headers: parser.head.fields))
    earlierTimings += timings
  }

  /// The limit for the body of the response.
  var bodyLimit: Int { exchange?.request.limits.bodyBytes ?? 0 }

  /// The body bytes received for the hop, before content decoding.
  var receivedBytes: Int { Int(unsafe cellophane_curl_received(handle)) }

  /// The absolute URL to which the response redirects.
  ///
  /// libcurl resolves it only at the end of a page that is complete.
  var redirectTarget: String? {
    guard let location = parser.head.fields["location"], !location.isEmpty else { return nil }
    // libcurl parses a lone fragment as a path. It refers to the same resource (RFC 3986, section 5.2.2).
    if location.hasPrefix("#") { return hop.url }
    let text = location.fieldBytes.map(CChar.init(bitPattern:)) + [0]
    guard let target = unsafe cellophane_curl_resolve(text, hop.url) else { return location }
    defer { unsafe curl_free(target) }
    return unsafe String(cString: target)
  }

  /// The hop's origin, for messages; never the path, which may contain a secret.
  var origin: String {
    if let (_, origin) = try? CanonicalURL.parse(hop.url) { return origin.description }
    return "the origin"
  }
}
