internal import CCurl

/// The errors for the result codes of libcurl.
extension CurlEasy {
  /// Returns the error for a result code of libcurl.
  func error(for code: CURLcode) -> LoadError {
    // A failure of a public address is not a denial.
    if attempt.isDenied, attempt.openedSockets.isEmpty {
      return LoadError(
        .refused, "\(origin) has an address outside the public internet, which the configuration denies",
        detail: .privateAddress)
    }
    if code == CURLE_COULDNT_CONNECT, attempt.lacksDescriptors { return .noTransport }
    // libcurl uses one code for a name without an address and for a lookup that could not start.
    if code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY,
      errorMessage.contains("failed to start")
    {
      return .noTransport
    }
    if isFlooded(code) {
      // The next request uses HTTP/1.1, in which a server that floods only HTTP/2 may respond.
      return LoadError(
        .malformedResponse, "\(origin) sends data endlessly that belongs to no response",
        isRetryable: mayUseHTTP2)
    }
    // libcurl uses one code for a broken connection and for malformed chunks; its messages differ.
    if code == CURLE_RECV_ERROR, errorMessage.contains("chunked-encoding") {
      return LoadError(.malformedResponse, "\(origin) sent a body with malformed chunks")
    }
    let diagnosis =
      refusedTunnel ?? unknownProxy(code) ?? (attempt.usesProxy ? Self.proxyDiagnosis(of: code) : nil)
      ?? certificateDiagnosis(of: code) ?? targetDiagnosis(of: code) ?? Self.diagnosis(of: code)
    var message = "\(origin) \(diagnosis.predicate)"
    if code == CURLE_PARTIAL_FILE, let length = parser.head.length {
      message += ": \(receivedBytes) of \(length) bytes"
    }
    return LoadError(
      diagnosis.kind, message, isRetryable: diagnosis.isRetryable, detail: diagnosis.detail)
  }

  /// The messages of nghttp2 about floods, which libcurl passes on (`nghttp2_strerror`).
  private static let floodMessages = ["Flooding was detected", "Too many CONTINUATION frames"]

  /// Returns whether the hop failed with `code` because its origin floods the connection. libcurl reports the floods that
  /// nghttp2 detects only in its message.
  func isFlooded(_ code: CURLcode) -> Bool {
    guard let connection else { return false }
    return sockets.wasBroken(connection)
      || mayUseHTTP2 && code == CURLE_RECV_ERROR && Self.floodMessages.contains(where: errorMessage.contains)
  }

  private struct Diagnosis {
    let kind: LoadError.Kind
    let isRetryable: Bool
    let predicate: String
    let detail: LoadError.Detail?

    init(
      _ kind: LoadError.Kind, _ predicate: String, isRetryable: Bool = false, detail: LoadError.Detail? = nil
    ) {
      (self.kind, self.isRetryable) = (kind, isRetryable)
      (self.predicate, self.detail) = (predicate, detail)
    }
  }

  /// The status of the proxy's response to a tunnel request; 0 without a request or response.
  private var tunnelStatus: Int { Int(unsafe cellophane_curl_tunnel_status(handle)) }

  /// True if a proxy opened a tunnel to the origin.
  var hasTunnel: Bool { (200..<300).contains(tunnelStatus) }

  /// The diagnosis if a proxy refused a tunnel; otherwise nil.
  private var refusedTunnel: Diagnosis? {
    let status = tunnelStatus
    guard status != 0, !hasTunnel else { return nil }
    let requirement = status == 407 ? "; it requires a user name and a password" : ""
    return Diagnosis(
      .connect, "cannot be reached: the proxy answered \(status)\(requirement)",
      isRetryable: FailureClass.isTemporary(status))
  }

  /// Returns the diagnosis for an unsupported proxy scheme, which only the environment can name; otherwise
  /// nil. libcurl reports it only in its message.
  private func unknownProxy(_ code: CURLcode) -> Diagnosis? {
    guard code == CURLE_COULDNT_CONNECT, errorMessage.hasPrefix("Unsupported proxy scheme") else {
      return nil
    }
    return Diagnosis(
      .invalidRequest, "cannot be reached: the environment names a proxy with an unsupported scheme")
  }

  /// Returns the diagnosis of a code for a connection through a proxy; nil if the proxy makes no difference.
  private static func proxyDiagnosis(of code: CURLcode) -> Diagnosis? {
    switch code {
    case CURLE_COULDNT_CONNECT:
      Diagnosis(
        .connect, "cannot be reached: the proxy refused the connection or is unreachable", isRetryable: true,
        detail: .proxy)
    case CURLE_OPERATION_TIMEDOUT:
      Diagnosis(.timeout, "cannot be reached: the connection through the proxy timed out", isRetryable: true)
    default: nil
    }
  }

  /// Returns the diagnosis of the origin's certificate; nil if the result names no defect.
  private func certificateDiagnosis(of code: CURLcode) -> Diagnosis? {
    // Otherwise the result belongs to the proxy's certificate or to an earlier exchange.
    guard code == CURLE_PEER_FAILED_VERIFICATION, isEncrypted, !attempt.usesProxy || hasTunnel else {
      return nil
    }
    let result = Int(unsafe cellophane_curl_verify_result(handle))
    return CertificateDefect(verifyResult: result, message: errorMessage).map {
      Diagnosis(.tls, $0.predicate, detail: $0.isUntrusted ? .untrusted : nil)
    }
  }

  /// Returns the diagnosis of an invalid URL that came from a redirect; otherwise nil.
  private func targetDiagnosis(of code: CURLcode) -> Diagnosis? {
    guard code == CURLE_URL_MALFORMAT, hop.redirects > 0 else { return nil }
    return Diagnosis(.malformedResponse, "is the target of a redirect to an invalid URL")
  }

  private static func diagnosis(of code: CURLcode) -> Diagnosis {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      Diagnosis(.dns, "cannot be reached: the host name cannot be resolved", isRetryable: true)
    case CURLE_COULDNT_RESOLVE_PROXY:
      Diagnosis(
        .dns, "cannot be reached: the host name of the proxy cannot be resolved", isRetryable: true,
        detail: .proxy)
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
      Diagnosis(
        .connect, "cannot be reached: connection refused or host unreachable", isRetryable: true,
        detail: .unreachable)
    case CURLE_PROXY:
      Diagnosis(.connect, "cannot be reached: the proxy denied the connection", isRetryable: true)
    case CURLE_OPERATION_TIMEDOUT:
      Diagnosis(.timeout, "cannot be reached: connection timed out", isRetryable: true)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      Diagnosis(.tls, "sent a certificate that is not trusted")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED:
      Diagnosis(.tls, "failed the TLS handshake", detail: .handshake)
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
      Diagnosis(
        .tls, "cannot be verified: the file of trusted certificates is not usable", detail: .trustFile)
    case CURLE_PARTIAL_FILE: Diagnosis(.connectionLost, "sent an incomplete response", isRetryable: true)
    case CURLE_GOT_NOTHING:
      Diagnosis(.connectionLost, "closed the connection without a response", isRetryable: true)
    // ``CurlEasy/noteRequestSent(between:)`` returned false because the request must not be sent again.
    case CURLE_ABORTED_BY_CALLBACK:
      Diagnosis(.connectionLost, "rejected the request without a response", isRetryable: true)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      Diagnosis(.connectionLost, "closed or reset the connection", isRetryable: true)
    // 1 (unsupported protocol) is the code for a response without a status line (HTTP/0.9); other schemes are
    // rejected before.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      Diagnosis(.malformedResponse, "sent a response that is not HTTP")
    // libcurl does not decode contents here, and refuses only a long list of transfer codings.
    case CURLE_BAD_CONTENT_ENCODING:
      Diagnosis(.malformedResponse, "sent a Transfer-Encoding other than chunked")
    // The code of libcurl 7.84 and later for a trailer line without a colon.
    case CURLE_BAD_FUNCTION_ARGUMENT: Diagnosis(.malformedResponse, "sent a malformed header line")
    // No file size limit is set, so only a length beyond 2^63 has this code.
    case CURLE_FILESIZE_EXCEEDED: Diagnosis(.bodyTooLarge, "declared a body that exceeds every limit")
    case CURLE_TOO_MANY_REDIRECTS: Diagnosis(.redirects, "redirects too often")
    case CURLE_URL_MALFORMAT: Diagnosis(.invalidRequest, "cannot be requested: the URL is invalid")
    case CURLE_LOGIN_DENIED:
      Diagnosis(
        .invalidRequest,
        "cannot be requested with a user name in the URL; send an Authorization header instead")
    case CURLE_FILE_COULDNT_READ_FILE, CURLE_REMOTE_FILE_NOT_FOUND, CURLE_READ_ERROR:
      Diagnosis(.io, "cannot be read: no such file or no permission")
    case CURLE_OUT_OF_MEMORY: Diagnosis(.malformedResponse, "sent a header line that is too long")
    default:
      Diagnosis(
        .connectionLost, "failed: \(unsafe String(cString: curl_easy_strerror(code)))", isRetryable: true)
    }
  }
}
