internal import CCurl

extension CurlEasy {
  /// What the finished hop answered.
  func response() -> TransportResponse {
    var response = head
    response.isCloseDelimited = reception.isCloseDelimited
    response.timings = timings
    response.timings += spent
    response.body = takeReception().body.bytes
    return response
  }

  /// The same without the body, as soon as the head is there.
  var head: TransportResponse {
    let wait = (reception.firstByteAt ?? .zero) - (reception.sentAt ?? reception.firstByteAt ?? .zero)
    var head = TransportResponse(
      status: reception.head.status, headers: reception.head.fields, url: hop.url, redirects: redirects,
      timeToFirstByte: wait)
    head.sharesConnection = !isFile && !reception.head.isTurnByTurn
    return head
  }

  /// Why the finished hop's answer is not whole; nil when it is.
  var defect: LoadError? {
    reception.defect(hasHead: !isFile, from: { origin })
  }

  /// Why the hop fails, before its answer ends or with it: more has come than its body may take, most of it no body, or
  /// than its head says. libcurl passes over the extensions of chunks and what stands behind a body, and tells nobody.
  var overrun: LoadError? {
    (receivedAtLast ?? connection.flatMap(received(over:))).flatMap { overrun(after: $0) }
  }

  /// What has come over `connection`: exactly where one byte more would be too many, in half the time elsewhere.
  func received(over connection: CurlSockets.Connection) -> Int? {
    connection.receivedAtMost.flatMap { overrun(after: $0) == nil ? $0 : connection.received }
  }

  /// The same, when `received` bytes have come over its connection in all.
  private func overrun(after received: Int) -> LoadError? {
    guard reception.head.isTurnByTurn, let receivedBefore, let ticket else { return nil }
    // What comes by a proxy may be wrapped as well.
    if Self.countsExactly, !attempt.isByProxy,
      let excess = reception.excess(received - receivedBefore, from: { origin })
    {
      return excess
    }
    let length =
      reception.head.isRedirect ? ResponseParser.largestRedirectBody : ticket.request.limits.bodyBytes
    return reception.overrun(received - receivedBefore, of: length, from: { origin })
  }

  /// Whether bytes of a head and bytes over the line are counted alike. Darwin counts what came twice twice.
  private static let countsExactly: Bool = {
    #if os(Linux)
      cellophane_curl_tells_heads_as_sent() != 0
    #else
      false
    #endif
  }()

  /// Keeps what the redirect said, for the response at the end of the chain.
  func noteRedirect() {
    redirects.append(
      TransportResponse.Redirect(status: reception.head.status, headers: reception.head.fields))
    spent += timings
  }

  /// What a code of libcurl means for the hop.
  func error(for code: CURLcode) -> LoadError {
    // What becomes of an address that is public is no refusal.
    if attempt.wasDenied, attempt.opened.isEmpty {
      return LoadError(
        .refused, "\(origin) has an address that is not on the public internet, which is not allowed here")
    }
    if code == CURLE_COULDNT_CONNECT, attempt.lacksDescriptors { return .noTransport }
    // libcurl has one code for a name without an address and for a look-up that could not begin, too.
    if code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY,
      complaint.contains("failed to start")
    {
      return .noTransport
    }
    if let connection, sockets.hadToBreak(connection) {
      return LoadError(.malformedResponse, "\(origin) sends without end what is no part of an answer")
    }
    // libcurl has one code for a connection that breaks and for chunks that are none; it tells them apart in words.
    if code == CURLE_RECV_ERROR, complaint.contains("chunked-encoding") {
      return LoadError(.malformedResponse, "\(origin) sends a body in chunks that are none")
    }
    let meaning =
      refusedTunnel ?? unknownProxy(code) ?? (attempt.isByProxy ? Self.proxyMeaning(of: code) : nil)
      ?? certificateMeaning(of: code) ?? targetMeaning(of: code) ?? Self.meaning(of: code)
    var sentence = "\(origin) \(meaning.sentence)"
    if code == CURLE_PARTIAL_FILE, let length = reception.head.length {
      sentence += " after \(receivedBytes) of \(length) bytes"
    }
    return LoadError(meaning.kind, sentence, isRetryable: meaning.isRetryable)
  }

  private struct Meaning {
    let kind: LoadError.Kind
    let isRetryable: Bool
    let sentence: String

    init(_ kind: LoadError.Kind, _ sentence: String, isRetryable: Bool = false) {
      self.kind = kind
      self.isRetryable = isRetryable
      self.sentence = sentence
    }
  }

  /// What a proxy answered when it was asked for a tunnel; 0 when none was asked, or it did not answer.
  private var tunnelStatus: Int { Int(unsafe cellophane_curl_tunnel_status(handle)) }

  /// Whether a proxy gave a tunnel to the origin.
  var hasTunnel: Bool { (200..<300).contains(tunnelStatus) }

  /// What it means when a proxy refused a tunnel; nil when it did not.
  private var refusedTunnel: Meaning? {
    let status = tunnelStatus
    guard status != 0, !hasTunnel else { return nil }
    let want = status == 407 ? "; it wants a user name and a password" : ""
    return Meaning(
      .connect, "cannot be reached: the proxy answers \(status)\(want)",
      isRetryable: FailureClass.isTemporary(status))
  }

  /// What it means when libcurl knows no such proxy, which only the environment can name: that is told in words alone.
  private func unknownProxy(_ code: CURLcode) -> Meaning? {
    guard code == CURLE_COULDNT_CONNECT, complaint.hasPrefix("Unsupported proxy scheme") else { return nil }
    return Meaning(.invalidRequest, "cannot be asked: the environment names a proxy of an unknown scheme")
  }

  /// What a code means where a proxy stands before the origin; nil for what means the same.
  private static func proxyMeaning(of code: CURLcode) -> Meaning? {
    switch code {
    case CURLE_COULDNT_CONNECT:
      Meaning(.connect, "cannot be reached: the proxy does not accept a connection", isRetryable: true)
    case CURLE_OPERATION_TIMEDOUT:
      Meaning(.timeout, "cannot be reached: the proxy gave no connection in time", isRetryable: true)
    default: nil
    }
  }

  /// What is wrong with the certificate that the origin showed; nil where nobody tells.
  private func certificateMeaning(of code: CURLcode) -> Meaning? {
    // What is known of certificates otherwise is about that of the proxy, or of an exchange before.
    guard code == CURLE_PEER_FAILED_VERIFICATION, isEncrypted, !attempt.isByProxy || hasTunnel else {
      return nil
    }
    let result = Int(unsafe cellophane_curl_verify_result(handle))
    return CertificateDefect(verifyResult: result, complaint: complaint).map { Meaning(.tls, $0.sentence) }
  }

  /// What a URL means that cannot be used, and that only an origin asked for.
  private func targetMeaning(of code: CURLcode) -> Meaning? {
    guard code == CURLE_URL_MALFORMAT, hop.redirects > 0 else { return nil }
    return Meaning(.malformedResponse, "is where a redirect leads, and cannot be asked")
  }

  private static func meaning(of code: CURLcode) -> Meaning {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: Meaning(.dns, "has no known address", isRetryable: true)
    case CURLE_COULDNT_RESOLVE_PROXY:
      Meaning(.dns, "cannot be reached: the proxy's name has no known address", isRetryable: true)
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
      Meaning(.connect, "does not accept a connection", isRetryable: true)
    case CURLE_PROXY: Meaning(.connect, "cannot be reached: the proxy refuses", isRetryable: true)
    case CURLE_OPERATION_TIMEDOUT: Meaning(.timeout, "did not accept a connection in time", isRetryable: true)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      Meaning(.tls, "shows a certificate that is not trusted")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED:
      Meaning(.tls, "does not agree on an encrypted connection")
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
      Meaning(.tls, "cannot be verified: the file of trusted certificates cannot be used")
    case CURLE_PARTIAL_FILE: Meaning(.connectionLost, "ended its answer", isRetryable: true)
    case CURLE_GOT_NOTHING:
      Meaning(.connectionLost, "closed the connection without an answer", isRetryable: true)
    // What a request gives that must not be sent again.
    case CURLE_ABORTED_BY_CALLBACK: Meaning(.connectionLost, "did not take the request", isRetryable: true)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      Meaning(.connectionLost, "broke the connection", isRetryable: true)
    // 1 is what an answer without a status line (HTTP/0.9) gives; other schemes are refused before.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      Meaning(.malformedResponse, "does not answer in HTTP")
    // What libcurl 7.84 and newer say to a line of trailers without a colon.
    case CURLE_BAD_FUNCTION_ARGUMENT: Meaning(.malformedResponse, "sends a header line that is none")
    // No file limit is set, so that only a length beyond 2^63 gives this.
    case CURLE_FILESIZE_EXCEEDED: Meaning(.bodyTooLarge, "announces a body beyond every limit")
    case CURLE_TOO_MANY_REDIRECTS: Meaning(.redirects, "redirects too often")
    case CURLE_URL_MALFORMAT: Meaning(.invalidRequest, "is asked with a URL that cannot be used")
    case CURLE_LOGIN_DENIED:
      Meaning(.invalidRequest, "is asked with a user name in the URL; send an Authorization header instead")
    case CURLE_FILE_COULDNT_READ_FILE, CURLE_REMOTE_FILE_NOT_FOUND, CURLE_READ_ERROR:
      Meaning(.io, "cannot be read: no such file, or no permission")
    case CURLE_OUT_OF_MEMORY: Meaning(.malformedResponse, "sends a header line that is too large")
    default:
      Meaning(
        .connectionLost, "broke off: \(unsafe String(cString: curl_easy_strerror(code)))", isRetryable: true)
    }
  }
}

extension LoadError {
  /// This error, of kind ``Kind/dns`` where time was over before a name had an address. The system's resolver takes about as
  /// long to say so as a connection may.
  var namingName: LoadError {
    guard kind == .timeout, exchange?.stage == .dns else { return self }
    return LoadError(.dns, message + ": no name server told its address", isRetryable: true).of(exchange)
  }
}
