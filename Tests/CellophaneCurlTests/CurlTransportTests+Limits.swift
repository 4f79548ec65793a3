internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import Cellophane
@testable internal import CellophaneCurl
internal import TestSupport

extension CurlTransportTests {
  @Test func `a header value with a line break is invalid`() async {
    let error = await failure(request("http://127.0.0.1:1/", headers: ["a": "b\r\nc: d"]))
    #expect(error?.kind == .invalidRequest)
  }

  @Test func `headers above 256 KB are not sent`() async {
    let request = request("http://127.0.0.1:1/", headers: ["a": String(repeating: "b", count: 256 << 10)])
    #expect(await failure(request)?.kind == .invalidRequest)
  }

  @Test func `a gzip body is decoded`() async throws {
    let body = Array("hello, hello".utf8)
    let origin = try TestOrigin { request in
      OriginResponse(
        status: request.headers["accept-encoding"]?.contains("gzip") == true ? 200 : 406,
        headers: ["content-encoding": "gzip"], body: Gzip.stored(body))
    }
    defer { origin.stop() }
    // The limit applies to the decoded body; the coded one may be longer.
    let response = try await transport.exchange(request(origin.url("/")) { $0.bodyBytes = body.count })
    #expect(response.status == 200)
    #expect(response.body == body)
  }

  @Test func `an invalid gzip body is malformed`() async throws {
    let origin = try TestOrigin { _ in
      OriginResponse(headers: ["content-encoding": "gzip"], body: Array("this is no gzip".utf8))
    }
    defer { origin.stop() }
    #expect(await failure(request(origin.url("/")))?.kind == .malformedResponse)
  }

  /// A body of 1 GB in 1 MB of gzip. The limit counts decoded bytes, so the transfer ends right above it.
  ///
  /// Runs in a separate process, so that the test can measure its memory.
  @Test("a decompression bomb ends at the body limit and leaves memory flat") func decompressionBomb() async {
    await #expect(processExitsWith: .success) {
      let bomb = Gzip.bomb(1 << 30)
      precondition((1_000_000..<1_100_000).contains(bomb.count), "\(bomb.count)")
      guard
        let origin = try? TestOrigin(handler: { request in
          request.path == "/bomb"
            ? OriginResponse(headers: ["content-encoding": "gzip"], body: bomb) : OriginResponse(body: bomb)
        })
      else { preconditionFailure("no origin") }
      let transport = CurlTransport()
      var request = TransportRequest(url: origin.url("/plain"))
      request.limits.bodyBytes = 4 << 20
      _ = try await transport.exchange(request)
      let before = ProcessUsage.residentBytes
      for _ in 0..<20 {
        request.url = origin.url("/bomb")
        request.body = StreamingBody()
        do {
          _ = try await transport.exchange(request)
          preconditionFailure("the exchange succeeded")
        } catch {
          precondition((error as? LoadError)?.kind == .bodyTooLarge, "\(error)")
        }
        precondition(request.body.count <= 4 << 20, "\(request.body.count)")
      }
      let grown = ProcessUsage.residentBytes - before
      // The body of 4 MB and the spare capacity of a growing array.
      precondition(grown < 24 << 20, "\(grown) bytes")
      await transport.close()
      origin.stop()
    }
  }

  @Test func `a body at the limit is accepted, and one above it is refused`() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [UInt8](repeating: 1, count: 1000)) }
    defer { origin.stop() }
    #expect(try await transport.exchange(request(origin.url("/")) { $0.bodyBytes = 1000 }).body.count == 1000)
    #expect(await failure(request(origin.url("/")) { $0.bodyBytes = 999 })?.kind == .bodyTooLarge)
  }

  @Test(arguments: [50 << 20 + 1, Int.max])
  func `a Content-Length above the limit is refused before the body arrives`(length: Int) async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [1])
      response.framing = .claimed(length)
      response.ending = .hung(after: 0)
      return response
    }
    defer { origin.stop() }
    let request = request(origin.url("/"))
    #expect(await failure(request)?.kind == .bodyTooLarge)
    #expect(request.body.count == 0)
  }

  @Test func `the body can be read while it arrives`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [UInt8](repeating: 7, count: 1000))
      response.ending = .hung(after: 600)
      return response
    }
    defer { origin.stop() }
    let sharedBody = SharedBody()
    let request = TransportRequest(
      url: origin.url("/"), body: sharedBody.begin(NumberRequest(1).key.response))
    let exchange = Task { try await transport.exchange(request) }
    var (read, position) = ([UInt8](), SharedBody.Position())
    while read.count < 600, case .piece(let piece) = await sharedBody.next(after: &position) { read += piece }
    #expect(read == [UInt8](repeating: 7, count: 600))
    #expect(request.body.head?.status == 200 && request.body.head?.headers["content-length"] == "1000")
    exchange.cancel()
    await #expect(throws: LoadError.cancelled) { try await exchange.value }
  }

  @Test func `a truncated body is a lost connection`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [UInt8](repeating: 1, count: 1000))
      response.ending = .closed(after: 600)
      return response
    }
    defer { origin.stop() }
    let error = await failure(request(origin.url("/secret?token=1")))
    #expect(error?.kind == .connectionLost)
    #expect(error?.isRetryable == true)
    #expect(
      error?.message == "http://127.0.0.1:\(origin.port) sent an incomplete response: 600 of 1000 bytes")
  }

  @Test func `the total deadline ends a slow body`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [UInt8](repeating: 1, count: 1000))
      response.pace = OriginResponse.Pace(bytes: 1, every: .milliseconds(5))
      return response
    }
    defer { origin.stop() }
    let request = request(origin.url("/")) { $0.total = .milliseconds(200) }
    #expect(await failure(request)?.kind == .timeout)
    #expect((0..<1000).contains(request.body.count))
    #expect(await origin.counters { $0.aborted == 1 }.aborted == 1)
  }

  @Test func `a missing first byte exceeds its deadline`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse()
      response.ending = .silent
      return response
    }
    defer { origin.stop() }
    let error = await failure(request(origin.url("/")) { $0.firstByte = .milliseconds(40) })
    #expect(error == .timeout("http://127.0.0.1:\(origin.port) sent no response within", .milliseconds(40)))
    #expect(await origin.counters { $0.openConnections == 0 }.aborted == 1)
  }

  @Test func `a slow body does not exceed the deadline of the first byte`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [UInt8](repeating: 1, count: 8))
      response.pace = OriginResponse.Pace(bytes: 1, every: .milliseconds(60))
      return response
    }
    defer { origin.stop() }
    let response = try await transport.exchange(
      request(origin.url("/")) { $0.firstByte = .milliseconds(400) })
    #expect(response.body.count == 8)
  }
}
