internal import CellophaneTestOrigin
internal import Testing

@testable internal import CellophaneCurl

@Suite("HTTP/2", .serialized, .timeLimit(.minutes(1)))
struct HTTP2Tests {
  private typealias Frames = HTTP2Frames
  private static let certificate = Result { try TestCertificate(for: "IP:127.0.0.1") }

  /// Runs `body` with an origin and a transport that trusts it. The origin follows `script` on each connection.
  private func withOrigin(
    _ script: @escaping @Sendable (Int) -> [RawOrigin.Step],
    _ body: (RawOrigin, CurlTransport) async throws -> Void
  ) async throws {
    let certificate = try Self.certificate.get()
    let origin = try RawOrigin(identity: certificate.identity, speaking: "h2") { connection in
      [.send(Frames.settings)] + script(connection) + [.hold]
    }
    var configuration = CurlTransport.Configuration()
    configuration.caFile = certificate.file
    let transport = CurlTransport(configuration)
    try await body(origin, transport)
    await transport.close()
    origin.stop()
  }

  @Test("two responses use one connection")
  func reuse() async throws {
    try await withOrigin({ _ in Frames.response(to: 1) + Frames.response(to: 3) }) { origin, transport in
      for _ in 0..<2 {
        let response = try await transport.exchange(TransportRequest(url: origin.url("/")))
        #expect(response.body == Array("ok".utf8) && response.status == 200)
      }
      #expect(origin.counters.connections == 1 && origin.counters.requests == 2)
    }
  }

  /// libcurl treats a stream as complete after a reset without an error, or after an invalid frame on its connection.
  @Test("only a Content-Length shows that a body is complete, not the end that libcurl reports")
  func closeDelimited() async throws {
    let length = Frames.frame(1, flags: 4, on: 1, [0x88, 0x0F, 0x0D, 1, UInt8(ascii: "2")])
    let reset = Frames.frame(3, on: 1, [0, 0, 0, 0])
    let onNoStream = Frames.frame(0, on: 0, [0])
    let responses: [([RawOrigin.Step], Bool)] = [
      (Frames.response(to: 1), true), ([.readStream, .send(length), Frames.body(of: 1)], false),
      ([.readStream, Frames.head(of: 1), .send(Frames.frame(0, on: 1, Array("ok".utf8)) + reset)], true),
      (
        [.readStream, Frames.head(of: 1), .send(Frames.frame(0, on: 1, Array("ok".utf8)) + onNoStream)], true
      ),
    ]
    for (steps, isCloseDelimited) in responses {
      try await withOrigin({ _ in steps }) { origin, transport in
        let response = try await transport.exchange(TransportRequest(url: origin.url("/")))
        #expect("ok".utf8.starts(with: response.body) && response.isCloseDelimited == isCloseDelimited)
        #expect(isCloseDelimited || response.body.count == 2)
      }
    }
  }

  /// A name of the static table (RFC 7541, appendix A) and a value: a literal without indexing.
  private static func field(_ index: UInt8, _ value: String) -> [UInt8] {
    [0x0F, index - 15, UInt8(value.utf8.count)] + Array(value.utf8)
  }

  /// Pages with their fields and the steps after their heads.
  private static let badPages: [(name: String, fields: [UInt8], steps: [RawOrigin.Step])] = [
    ("is not gzip, as declared", field(26, "gzip"), [Frames.body(of: 1)]),
    ("has an unknown coding", field(26, "cow"), [Frames.body(of: 1)]),
    ("is shorter than its length", field(28, "9"), [Frames.body(of: 1)]),
    ("is above the limit", field(28, "90000000"), []),
    ("stalls", field(28, "9"), []),
    ("is reset", field(28, "9"), [.send(Frames.frame(3, on: 1, [0, 0, 0, 2]))]),
    ("breaks off with its connection", field(28, "9"), [.cut]),
  ]

  @Test("an error over HTTP/2 is its status", arguments: badPages.indices)
  func pages(_ index: Int) async throws {
    let page = Self.badPages[index]
    // 404 is an entry of the static table.
    for (status, code) in [(404, [0x8D]), (503, Self.literalStatus("503"))] {
      let head = Frames.frame(1, flags: 4, on: 1, code + page.fields)
      let script = { @Sendable (_: Int) in [.readStream, .send(head)] + page.steps }
      try await withOrigin(script) { origin, transport in
        let response = try await transport.exchange(TransportRequest(url: origin.url("/")))
        #expect(response.status == status, "a page that \(page.name)")
      }
    }
  }

  private static func literalStatus(_ code: String) -> [UInt8] { [0x08, 3] + Array(code.utf8) }

  @Test("a page over HTTP/2 that stalls costs its stream, not the connection")
  func stalledPage() async throws {
    let stall: [RawOrigin.Step] = [.readStream, .send(Frames.frame(1, flags: 4, on: 1, [0x8D]))]
    try await withOrigin({ _ in stall + Frames.response(to: 3) }) { origin, transport in
      for status in [404, 200] {
        let response = try await transport.exchange(TransportRequest(url: origin.url("/")))
        #expect(response.status == status)
      }
      #expect(origin.counters.connections == 1)
    }
  }

  @Test("a refused request is sent again, once, only if a reused connection refused it")
  func refusals() async throws {
    for served in [0, 1] {
      let script = { @Sendable (connection: Int) in
        (connection < served ? Frames.response(to: 1) : Frames.refusal(of: 1))
          + stride(from: UInt8(3), to: 31, by: 2).flatMap(Frames.refusal)
      }
      try await withOrigin(script) { origin, transport in
        for _ in 0..<served {
          _ = try await transport.exchange(TransportRequest(url: origin.url("/")))
        }
        let error = await #expect(throws: LoadError.self) {
          try await transport.exchange(TransportRequest(url: origin.url("/")))
        }
        #expect(error?.kind == .connectionLost && error?.isRetryable == true)
        #expect(origin.counters.requests == 1 + 2 * served)
      }
    }
  }

  /// Frames that belong to no response, or add nothing to it.
  private static let floods: [(name: String, frame: [UInt8])] = [
    ("empty DATA", Frames.frame(0, on: 1)),
    ("padding", Frames.frame(0, flags: 8, on: 1, [255] + Array(repeating: 0, count: 255))),
    ("PRIORITY", Frames.frame(2, on: 101, [0, 0, 0, 0, 1])),
    ("WINDOW_UPDATE", Frames.frame(8, on: 0, [0, 0, 0, 1])),
    ("SETTINGS", Frames.frame(4, on: 0)),
    ("frames of an unknown type", Frames.frame(0xBB, on: 0, Array(repeating: 0, count: 1_000))),
    (
      "frames of an unknown type, without a head",
      Frames.frame(0xBB, on: 0, Array(repeating: 0, count: 1_000))
    ),
  ]

  @Test("a flood ends early and delays no other origin; HTTP/1.1 is used next", arguments: floods.indices)
  func flood(_ index: Int) async throws {
    let flood = Self.floods[index]
    let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    // Many frames per write, so that the origin is not slower than the link.
    let frames = [UInt8]((0..<200_000 / flood.frame.count).flatMap { _ in flood.frame })
    let hasBegun = OneShot<Void>()
    let head = flood.name.hasSuffix("head") ? [] : [Frames.head(of: 1)]
    let certificate = try Self.certificate.get()
    let origin = try RawOrigin(identity: certificate.identity, speaking: "h2") { connection in
      connection > 0
        ? [.read, .send(ok)]
        : [.send(Frames.settings), .readStream] + head + [.call { hasBegun.settle(()) }, .flood(frames)]
    }
    let other = try RawOrigin { _ in [.read, .send(ok)] }
    var configuration = CurlTransport.Configuration()
    configuration.caFile = certificate.file
    let transport = CurlTransport(configuration)
    var limits = TransferLimits()
    limits.bodyBytes = 10
    let request = TransportRequest(url: origin.url("/"), limits: limits)
    let start = ContinuousClock.now
    async let flooded = transport.exchange(request)
    await hasBegun.value
    #expect(try await transport.exchange(TransportRequest(url: other.url("/"))).body == Array("ok".utf8))
    do {
      _ = try await flooded
      Issue.record("a response from a flood of \(flood.name)")
    } catch {
      let error = error as? LoadError
      #expect(
        error?.kind == .malformedResponse && error?.isRetryable == true,
        "\(flood.name): \(error?.message ?? "")")
    }
    // The watchdog needs three checks, 100 ms apart; the rest is for a busy machine.
    #expect(ContinuousClock.now - start < .seconds(10), "\(flood.name)")
    #expect(try await transport.exchange(request).body == Array("ok".utf8))
    #expect(origin.counters.connections == 2)
    await transport.close()
    origin.stop()
    other.stop()
  }

  @Test("a flood of empty frames delays neither the deadline nor other exchanges")
  func emptyFrames() async throws {
    // Many frames per write, so that the origin is not slower than the link.
    let frames = [UInt8]((0..<5_000).flatMap { _ in Frames.frame(0, on: 1) })
    let other = try RawOrigin(answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    defer { other.stop() }
    try await withOrigin({ _ in [.readStream, Frames.head(of: 1), .flood(frames)] }) { origin, transport in
      var limits = TransferLimits()
      limits.total = .milliseconds(500)
      let request = TransportRequest(url: origin.url("/"), limits: limits)
      let start = ContinuousClock.now
      let error = await #expect(throws: LoadError.self) { try await transport.exchange(request) }
      #expect(error?.kind == .timeout || error?.kind == .malformedResponse, "\(error?.message ?? "")")
      let response = try await transport.exchange(TransportRequest(url: other.url("/")))
      #expect(response.body == Array("ok".utf8))
      // The watchdog needs three checks, 100 ms apart; the rest is for a busy machine.
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }
}
