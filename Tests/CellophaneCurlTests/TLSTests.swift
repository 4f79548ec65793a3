internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneCurl

@Suite(.timeLimit(.minutes(1))) struct TLSTests {
  private func transport(trusting file: String?) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.caFile = file
    return CurlTransport(configuration)
  }

  /// The arguments are the name in the certificate, whether it is trusted, and the expected error.
  @Test(
    arguments: [
      ("IP:127.0.0.1", true, nil), ("IP:127.0.0.1", false, .tls), ("DNS:other.example", true, .tls),
    ] as [(String, Bool, LoadError.Kind?)])
  func `a certificate must be trusted and have the host name`(
    name: String, isTrusted: Bool, kind: LoadError.Kind?
  ) async throws {
    let certificate = try TestCertificate(for: name)
    let origin = try TestOrigin(identity: certificate.identity) { _ in OriginResponse(body: [1]) }
    defer { origin.stop() }
    let transport = transport(trusting: isTrusted ? certificate.file : nil)
    do {
      let response = try await transport.exchange(TransportRequest(url: origin.url("/")))
      #expect(kind == nil)
      #expect(response.body == [1])
    } catch {
      #expect(error.kind == kind)
      #expect(!error.isRetryable)
      #expect(origin.counters.requests == 0)
    }
    await transport.close()
  }

  @Test func `plain text on a TLS port is a TLS error`() async throws {
    let origin = try RawOrigin(answer: Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
    defer { origin.stop() }
    let transport = transport(trusting: nil)
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: origin.url("/", scheme: "https")))
    }
    #expect(error?.kind == .tls && error?.detail == .handshake)
    await transport.close()
  }
}
