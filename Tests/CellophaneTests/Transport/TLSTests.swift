internal import CellophaneTesting
internal import Foundation
internal import Testing

@testable internal import Cellophane

@Suite(.timeLimit(.minutes(1))) struct TLSTests {
  /// A certificate for 127.0.0.1 that nobody but its own file vouches for.
  private struct Certificate {
    let identity: TLSIdentity
    let file: String

    init(in folder: URL, name: String) throws {
      let certificate = folder.appending(path: "certificate.pem").path
      let key = folder.appending(path: "key.pem").path
      let openssl = Process()
      openssl.executableURL = URL(filePath: "/usr/bin/env")
      openssl.arguments = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days",
        "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate,
      ]
      openssl.standardError = FileHandle.nullDevice
      try openssl.run()
      openssl.waitUntilExit()
      file = certificate
      identity = TLSIdentity(
        certificatePEM: try String(contentsOfFile: certificate, encoding: .utf8),
        privateKeyPEM: try String(contentsOfFile: key, encoding: .utf8))
    }
  }

  private func transport(trusting file: String?) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.caFile = file
    return CurlTransport(configuration)
  }

  /// The name in the certificate, whether it is trusted, and how that ends.
  @Test(
    arguments: [
      ("IP:127.0.0.1", true, nil), ("IP:127.0.0.1", false, .tls), ("DNS:other.example", true, .tls),
    ] as [(String, Bool, LoadError.Kind?)])
  func certificatesAreVerified(name: String, isTrusted: Bool, kind: LoadError.Kind?) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cellophane-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let certificate = try Certificate(in: folder, name: name)
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

  @Test func plainTextOnATLSPort() async throws {
    let origin = try RawOrigin(answer: Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
    defer { origin.stop() }
    let transport = transport(trusting: nil)
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: origin.url("/", scheme: "https")))
    }
    #expect(error?.kind == .tls)
    await transport.close()
  }
}
