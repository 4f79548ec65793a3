internal import Cellophane

extension TransferOptions {
  /// Returns the option or the check that can change the outcome of a failed load, or nil.
  ///
  /// The library's errors do not name options, which only the tool has. The advice depends on types, not on wording.
  ///
  /// - Parameter kind: The content that `--as` requires; nil for a command without that option.
  func advice(on error: LoadError, requiring kind: ContentKind?) -> String? {
    switch (error.kind, error.detail) {
    case (_, .unexpectedHash): nil
    case (.invalidRequest, .relativeURL):
      "for a local file, write file:///path" + (connection.allowsFiles ? "" : " with --allow-files")
    case (.notCached, _) where storage.offline: "leave out --offline to load it from the origin"
    case (.unsupported, _) where kind == .image: "--as bytes accepts any body"
    case (.truncated, _) where kind == .image, (.corrupt, _) where kind == .image:
      "--as bytes accepts any body"
    // Other limits of bodies and times have no option.
    case (.bodyTooLarge, .bodyLimit): "raise --max-bytes"
    case (.timeout, .totalTime): "raise --timeout"
    case (.refused, .privateAddress): "leave out --deny-private to allow it"
    case (.malformedResponse, .contentCoding): "request it without coding: -H 'Accept-Encoding: identity'"
    case (.status, _): error.status.flatMap(advice(onStatus:))
    case (.redirects, _): "check the URL, and the cookies and other headers that it needs (-H)"
    case (.connect, .unreachable): "check the address, and that the server runs"
    case (.connect, .proxy), (.dns, .proxy): proxyAdvice
    case (.tls, .handshake): "check that the server speaks https on this port, or use http://"
    case (.tls, .trustFile), (.tls, .untrusted): certificateAdvice(error.detail)
    default: nil
    }
  }

  private func advice(onStatus status: Int) -> String? {
    switch status {
    case 401: "send credentials with -H 'Authorization: ...'"
    case 403: "check the URL, and the credentials and other headers that it needs (-H)"
    case 404, 410: "check the URL"
    // With a Location, it would have been followed.
    case 301, 302, 303, 307, 308: "the redirect has no Location; check the URL"
    default: nil
    }
  }

  private var proxyAdvice: String {
    connection.proxy == nil
      ? "check http_proxy, https_proxy and all_proxy in the environment, or set --proxy ''" : "check --proxy"
  }

  private func certificateAdvice(_ detail: LoadError.Detail?) -> String? {
    if let file = connection.cacert { return "check the certificates (PEM) in \(file) of --cacert" }
    // The system's file is not usable; no option changes it.
    return detail == .untrusted ? "use --cacert FILE" : nil
  }
}
