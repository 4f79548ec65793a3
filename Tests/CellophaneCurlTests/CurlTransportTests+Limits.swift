internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import Cellophane
internal import TestSupport

extension CurlTransportTests {
  @Test func headersCannotBeSmuggled() async {
    let error = await failure(request("http://127.0.0.1:1/", headers: ["a": "b\r\nc: d"]))
    #expect(error?.kind == .invalidRequest)
  }

  @Test func headersThatAreTooLargeAreNotSent() async {
    let request = request("http://127.0.0.1:1/", headers: ["a": String(repeating: "b", count: 256 << 10)])
    #expect(await failure(request)?.kind == .invalidRequest)
  }

  @Test func gzipIsDecoded() async throws {
    let body = Array("hello, hello".utf8)
    let origin = try TestOrigin { asked in
      OriginResponse(
        status: asked.headers["accept-encoding"]?.contains("gzip") == true ? 200 : 406,
        headers: ["content-encoding": "gzip"], body: Gzip.stored(body))
    }
    defer { origin.stop() }
    // What counts is the body, however long it is when it is coded.
    let response = try await transport.exchange(request(origin.url("/")) { $0.bodyBytes = body.count })
    #expect(response.status == 200)
    #expect(response.body == body)
  }

  @Test func brokenGzipIsMalformed() async throws {
    let origin = try TestOrigin { _ in
      OriginResponse(headers: ["content-encoding": "gzip"], body: Array("this is no gzip".utf8))
    }
    defer { origin.stop() }
    #expect(await failure(request(origin.url("/")))?.kind == .malformedResponse)
  }

  /// A gigabyte in a megabyte: counted after decoding, so that it ends right above the limit, and nothing else
  /// grows. In a process of its own, whose memory can be measured.
  @Test func aBombIsStoppedAtTheLimitWithMemoryFlat() async {
    await #expect(processExitsWith: .success) {
      let bomb = Gzip.bomb(1 << 30)
      precondition((1_000_000..<1_100_000).contains(bomb.count), "\(bomb.count)")
      guard
        let origin = try? TestOrigin(handler: { asked in
          asked.path == "/bomb"
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
          preconditionFailure("answered")
        } catch {
          precondition((error as? LoadError)?.kind == .bodyTooLarge, "\(error)")
        }
        precondition(request.body.count <= 4 << 20, "\(request.body.count)")
      }
      let grown = ProcessUsage.residentBytes - before
      // The body of 4 MB, with what an array sets aside when it grows.
      precondition(grown < 24 << 20, "\(grown) bytes")
      await transport.close()
      origin.stop()
    }
  }

  @Test func aBodyAtTheLimitIsTaken() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [UInt8](repeating: 1, count: 1000)) }
    defer { origin.stop() }
    #expect(try await transport.exchange(request(origin.url("/")) { $0.bodyBytes = 1000 }).body.count == 1000)
    #expect(await failure(request(origin.url("/")) { $0.bodyBytes = 999 })?.kind == .bodyTooLarge)
  }

  @Test(arguments: [50 << 20 + 1, Int.max])
  func anAnnouncedBodyAboveTheLimitIsRefusedAtOnce(length: Int) async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [1])
      answer.framing = .claimed(length)
      answer.ending = .hung(after: 0)
      return answer
    }
    defer { origin.stop() }
    let request = request(origin.url("/"))
    #expect(await failure(request)?.kind == .bodyTooLarge)
    #expect(request.body.count == 0)
  }

  @Test func theBodyCanBeReadWhileItArrives() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [UInt8](repeating: 7, count: 1000))
      answer.ending = .hung(after: 600)
      return answer
    }
    defer { origin.stop() }
    let flight = SharedBody()
    let request = TransportRequest(url: origin.url("/"), body: flight.begin(NumberRequest(1).key.response))
    let exchange = Task { try await transport.exchange(request) }
    var (read, position) = ([UInt8](), SharedBody.Position())
    while read.count < 600, case .piece(let piece) = await flight.next(after: &position) { read += piece }
    #expect(read == [UInt8](repeating: 7, count: 600))
    #expect(request.body.head?.status == 200 && request.body.head?.headers["content-length"] == "1000")
    exchange.cancel()
    await #expect(throws: LoadError.cancelled) { try await exchange.value }
  }

  @Test func aTruncatedBodyIsALostConnection() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [UInt8](repeating: 1, count: 1000))
      answer.ending = .closed(after: 600)
      return answer
    }
    defer { origin.stop() }
    let error = await failure(request(origin.url("/secret?token=1")))
    #expect(error?.kind == .connectionLost)
    #expect(error?.isRetryable == true)
    #expect(
      error?.message == "http://127.0.0.1:\(origin.port) sent an incomplete response: 600 of 1000 bytes")
  }

  @Test func aDeadlineEndsATricklingBody() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [UInt8](repeating: 1, count: 1000))
      answer.pace = OriginResponse.Pace(bytes: 1, every: .milliseconds(5))
      return answer
    }
    defer { origin.stop() }
    let request = request(origin.url("/")) { $0.total = .milliseconds(200) }
    #expect(await failure(request)?.kind == .timeout)
    #expect((0..<1000).contains(request.body.count))
    #expect(await origin.counters { $0.aborted == 1 }.aborted == 1)
  }

  @Test func theFirstByteHasItsOwnDeadline() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse()
      answer.ending = .silent
      return answer
    }
    defer { origin.stop() }
    let error = await failure(request(origin.url("/")) { $0.firstByte = .milliseconds(40) })
    #expect(error == .timeout("http://127.0.0.1:\(origin.port) sent no response within", .milliseconds(40)))
    #expect(await origin.counters { $0.openConnections == 0 }.aborted == 1)
  }

  @Test func aSlowBodyIsNoLateFirstByte() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [UInt8](repeating: 1, count: 8))
      answer.pace = OriginResponse.Pace(bytes: 1, every: .milliseconds(60))
      return answer
    }
    defer { origin.stop() }
    let response = try await transport.exchange(
      request(origin.url("/")) { $0.firstByte = .milliseconds(400) })
    #expect(response.body.count == 8)
  }
}
