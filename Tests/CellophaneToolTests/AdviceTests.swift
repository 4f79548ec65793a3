internal import Cellophane
internal import Testing

@testable internal import CellophaneTool

@Suite("Advice")
struct AdviceTests {
  private static func advice(
    _ error: LoadError, offline: Bool = false, requiring kind: ContentKind? = .image, proxy: String? = nil,
    cacert: String? = nil
  ) -> String? {
    var storage = StorageOptions()
    storage.offline = offline
    var connection = ConnectionOptions()
    (connection.proxy, connection.cacert) = (proxy, cacert)
    return TransferOptions(storage: storage, connection: connection).advice(on: error, requiring: kind)
  }

  @Test("advice follows the kind and the detail of an error, not its wording")
  func types() {
    for (error, advice) in [
      (LoadError(.bodyTooLarge, "a", detail: .bodyLimit), "raise --max-bytes"),
      (.late("a", after: .seconds(1)), "raise --timeout"),
      (LoadError(.refused, "a", detail: .privateAddress), "leave out --deny-private to allow it"),
      (LoadError(.connect, "a", detail: .unreachable), "check the address, and that the server runs"),
      (LoadError(.status, "a", status: 404), "check the URL"),
      (LoadError(.status, "a", status: 410), "check the URL"),
      (LoadError(.status, "a", status: 401), "send credentials with -H 'Authorization: ...'"),
      (
        LoadError(.status, "a", status: 403),
        "check the URL, and the credentials and other headers that it needs (-H)"
      ),
      (LoadError(.status, "a", status: 302), "the redirect has no Location; check the URL"),
      (LoadError(.redirects, "a"), "check the URL, and the cookies and other headers that it needs (-H)"),
      (
        LoadError(.malformedResponse, "a", detail: .contentCoding),
        "request it without coding: -H 'Accept-Encoding: identity'"
      ),
      (
        LoadError(.tls, "a", detail: .handshake),
        "check that the server speaks https on this port, or use http://"
      ),
      (LoadError(.unsupported, "a"), "--as bytes accepts any body"),
      (LoadError(.truncated, "a"), "--as bytes accepts any body"),
      (LoadError(.corrupt, "a"), "--as bytes accepts any body"),
      (LoadError(.tls, "failed the TLS handshake"), nil), (LoadError(.tls, "a", detail: .trustFile), nil),
      (LoadError(.malformedResponse, "sent a body with content coding 'zstd'"), nil),
      (LoadError(.bodyTooLarge, "exceeds the limit of 5 bytes"), nil),
      (.timeout("the first byte was not complete within", .seconds(1)), nil),
      (LoadError(.refused, "a, which the configuration denies"), nil),
      (LoadError(.connect, "a: connection refused"), nil),
      (LoadError(.status, "a answered 404", status: 503), nil), (LoadError(.notCached, "a"), nil),
    ] as [(LoadError, String?)] {
      #expect(Self.advice(error) == advice, "\(error)")
    }
  }

  @Test("advice depends on the options of the command")
  func options() {
    #expect(
      Self.advice(LoadError(.notCached, "a"), offline: true)
        == "leave out --offline to load it from the origin")
    #expect(Self.advice(LoadError(.unsupported, "a"), requiring: .bytes) == nil)
    #expect(Self.advice(LoadError(.truncated, "a"), requiring: .bytes) == nil)
    let proxy = LoadError(.connect, "a", detail: .proxy)
    #expect(Self.advice(proxy, proxy: "h:1") == "check --proxy")
    #expect(Self.advice(proxy)?.hasPrefix("check http_proxy, https_proxy and all_proxy ") == true)
    #expect(Self.advice(LoadError(.dns, "a", detail: .proxy), proxy: "h:1") == "check --proxy")
    #expect(Self.advice(LoadError(.tls, "a", detail: .untrusted)) == "use --cacert FILE")
    for detail in [LoadError.Detail.untrusted, .trustFile] {
      #expect(
        Self.advice(LoadError(.tls, "a", detail: detail), cacert: "ca.pem")
          == "check the certificates (PEM) in ca.pem of --cacert")
    }
    // browse has no option --as.
    #expect(Self.advice(LoadError(.unsupported, "a"), requiring: nil) == nil)
  }

  @Test("text at the end of a message does not change the advice")
  func appended() {
    let error = LoadError(.bodyTooLarge, "a", isRetryable: true, detail: .bodyLimit).appending("; b")
    #expect(error.message == "a; b" && error.isRetryable && error.detail == .bodyLimit)
    #expect(LoadError(.status, "a", status: 404, retryAfter: .seconds(5)).appending("b").status == 404)
  }
}
