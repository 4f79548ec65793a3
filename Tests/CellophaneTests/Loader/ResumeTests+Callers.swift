@testable internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension ResumeTests {
  @Test("a 404 or 410 removes the prefix", arguments: [404, 410])
  func gone(status: Int) {
    let world = World([.broken(after: 4), Response(status: status)])
    #expect(world.load() == "connection-lost" && world.load() == "status" && world.prefix() == nil)
  }

  @Test("one request asks for the rest and validates a stale response; the origin's response decides")
  func withValidation() {
    let stale = Response.whole.with("Cache-Control", "max-age=0").with("ETag", "\"old\"")
    for (response, expected) in [
      (Response.rest(4), "200 0123456789"), (Response(status: 304, headers: [:]), "200 0123456789"),
    ] {
      let world = World([stale, .broken(after: 4), response])
      #expect(world.load() == "200 0123456789" && world.load() == "connection-lost" && world.prefix() == 4)
      #expect(world.load() == expected && world.prefix() == nil)
      #expect(world.seen.last == Self.restRequest + " \"old\"")
    }
  }

  @Test("a reload starts at byte 0, and the prefix of a request with a range is not stored")
  func reloadAndRange() {
    let world = World([.broken(after: 4), .whole])
    _ = world.load()
    #expect(world.load([:], .reload) == "200 0123456789" && world.seen == ["", ""])
    let part = World([Response.broken(after: 4)])
    _ = part.load(["Range": "bytes=0-"])
    #expect(part.files.files.isEmpty)
  }

  @Test("a prefix expires after a day")
  func expiry() {
    let world = World([.broken(after: 4), .whole])
    _ = world.load()
    world.time.run(until: world.time.now.advanced(by: .seconds(86_500)))
    #expect(world.load() == "200 0123456789" && world.seen == ["", ""])
  }

  @Test("a rest is not requested if the complete body would exceed the limit")
  func limit() {
    let world = World([.broken(after: 4)])
    _ = world.load()
    var limits = TransferLimits()
    limits.bodyBytes = 9
    let later = World([.whole], after: world, limits: limits)
    _ = later.load()
    #expect(later.seen == [""])
  }

  @Test("a reader of previews continues with the rest and starts over with another version")
  func previews() {
    func read(_ responses: [Response]) -> [String] {
      let world = World(responses, retries: 2)
      let read = Shared<[String]>([])
      world.bytes.timeline.spawn {
        guard let request = try? Request<Int>("http://origin/a", options: 0) else { return }
        _ = try? await world.bytes.load(ByteRequest(request), priority: .normal) { body in
          world.bytes.timeline.spawn {
            var (text, position) = ("", SharedBody.Position())
            while true {
              switch await body.next(after: &position) {
              case .piece(let piece): text += String(decoding: piece, as: UTF8.self)
              case .startedOver:
                read.update { $0.append(text) }
                text = ""
              case .whole, .useless:
                read.update { $0.append(text) }
                return
              }
            }
          }
        }
      }
      world.time.run()
      return read.value
    }
    #expect(read([.broken(after: 4), .rest(4)]) == ["0123456789"])
    #expect(read([.broken(after: 4), .rest(4, breaks: 2), .rest(6)]) == ["0123456789"])
    #expect(read([.broken(after: 4), Response(status: 503), .rest(4)]) == ["0123456789"])
    #expect(read([.broken(after: 4), Response(body: "abcdefghij")]) == ["0123", "abcdefghij"])
    #expect(
      read([.broken(after: 4), .rest(4, tag: "\"b\""), Response(body: "abcdefghij")]) == [
        "0123", "abcdefghij",
      ])
  }

  @Test(
    "over a real connection, a broken transfer of known or unknown length is resumed",
    .timeLimit(.minutes(1)),
    arguments: [OriginResponse.Framing.length, .chunked])
  func realConnection(framing: OriginResponse.Framing) async throws {
    let whole = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let ranges = Shared<[String?]>([])
    let origin = try TestOrigin { request in
      ranges.update { $0.append(request.headers["range"]) }
      var headers: HeaderFields = ["etag": "\"a\"", "accept-ranges": "bytes"]
      guard let range = request.headers["range"], request.headers["if-range"] == "\"a\"",
        let first = Int(range.dropFirst(6).dropLast())
      else {
        var response = OriginResponse(headers: headers, body: whole)
        (response.framing, response.ending) = (framing, .closed(after: 60_000))
        return response
      }
      headers.append("content-range", "bytes \(first)-99999/100000")
      var response = OriginResponse(status: 206, headers: headers, body: Array(whole[first...]))
      response.framing = framing
      return response
    }
    defer { origin.stop() }
    let bytes = ByteLoader(
      transport: CurlTransport(), disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    let loaded = try await bytes.load(Request<Int>(origin.url("/a"), options: 0))
    #expect(loaded.bytes == whole && loaded.status == 200)
    #expect(ranges.value.count == 2 && bytes.events.counters.resumed == 1)
    #expect(bytes.events.counters.receivedBytes == 100_000)
  }

  @Test("an origin that does not respond to a range request leaves time to request the complete body")
  func silent() async throws {
    let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n"
    let origin = try RawOrigin { connection in
      switch connection {
      case 0: [.read, .send(head + "0123"), .cut]
      case 1: [.read, .hold]
      default: [.read, .send(head + "0123456789")]
      }
    }
    defer { origin.stop() }
    var configuration = ByteLoader.Configuration()
    configuration.retry.retries = 0
    let disk = DiskCache(directory: "/cache", fileSystem: MemoryFileSystem())
    let transport = CurlTransport()
    let request = try Request(origin.url("/a"), options: 0)
    let first = ByteLoader(transport: transport, disk: disk, configuration: configuration)
    let broken = await #expect(throws: LoadError.self) { try await first.load(request) }
    #expect(broken?.kind == .connectionLost)
    configuration.limits.total = .seconds(3)
    let second = ByteLoader(transport: transport, disk: disk, configuration: configuration)
    let loaded = try await second.load(request)
    #expect(loaded.bytes == Array("0123456789".utf8) && second.events.counters.transfers == 2)
    await transport.close()
  }
}
