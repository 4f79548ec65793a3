internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("The thumbnail service of the article, in virtual time")
struct ServerRecipeSnippetTests {
  private func respond(
    after delay: Duration, _ result: Result<TransportResponse, LoadError>, times: Int = 1
  ) -> (responses: [ThumbnailService.Response], exchanges: Int)? {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { _ in .init(after: delay, result) }
    let service = ThumbnailService(transport: transport, disk: nil, timeline: timeline)
    let responses = time.run {
      var responses: [ThumbnailService.Response] = []
      guard let request = try? service.request(for: "http://a.example/1.png", side: 256) else {
        return responses
      }
      for _ in 0..<times { responses.append(await service.respond(to: request)) }
      return responses
    }
    return responses.map { ($0, transport.counters.started) }
  }

  private func png(_ fields: HeaderFields) throws -> TransportResponse {
    let file = try Image(width: 1, height: 1, pixels: [1, 2, 3, 255]).encoded(as: .png)
    return TransportResponse(status: 200, headers: fields, body: file, url: "http://a.example/1.png")
  }

  @Test("a fresh thumbnail is encoded once")
  func fresh() throws {
    let (responses, exchanges) = try #require(
      respond(after: .seconds(1), .success(try png(["cache-control": "max-age=3600"])), times: 3))
    #expect(responses.map(\.status) == [200, 200, 200] && exchanges == 1)
    #expect(responses[0].body.starts(with: [0xFF, 0xD8]) && responses[2].body == responses[0].body)
    // From memory, too. The response took a second.
    #expect(
      responses.map { $0.headers["cache-control"] } == Array(repeating: "public, max-age=3599", count: 3))
  }

  @Test(
    "caches keep a thumbnail as the origin permits",
    arguments: [
      (nil, "public, max-age=60"),
      ("max-age=3600", "public, max-age=3600"),
      ("max-age=5", "public, max-age=60"),
      ("public, s-maxage=600, max-age=300", "public, max-age=300"),
      ("private, max-age=600", "private, max-age=600"),
      ("Private", "private, max-age=60"),
      ("no-cache", "no-cache"),
      ("no-cache, max-age=600", "no-cache"),
      ("max-age=600, No-Store", "no-store"),
      ("no-store, no-cache, private", "no-store"),
    ] as [(String?, String)])
  func caching(origin: String?, thumbnail: String) throws {
    var fields = HeaderFields()
    fields["cache-control"] = origin
    let (responses, _) = try #require(respond(after: .zero, .success(try png(fields))))
    #expect(responses.map { $0.headers["cache-control"] } == [thumbnail])
  }

  @Test("only some sizes are made", arguments: [-1, 0, 1, 255, 257, 1024, .max])
  func sizes(side: Int) {
    let service = ThumbnailService(transport: ScriptedTransport(timeline: Timeline()), disk: nil)
    #expect(throws: LoadError.self) { try service.request(for: "http://a.example/1.png", side: side) }
  }

  @Test("a dead origin costs each client at most the deadline, and a full queue is a 503")
  func admission() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { _ in
      .init(after: .seconds(60), .failure(LoadError(.timeout, "no answer", isRetryable: true)))
    }
    let service = ThumbnailService(transport: transport, disk: nil, timeline: timeline)
    let statuses = time.run {
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<300 {
          group.addTask {
            let request = try? service.request(for: "http://h\(number).example/1.png", side: 256)
            guard let request else { return 400 }
            return await service.respond(to: request).status
          }
        }
        return await group.reduce(into: [:] as [Int: Int]) { $0[$1, default: 0] += 1 }
      }
    }
    // 31 of the 32 transfers are not reserved for visible rows, and 200 wait.
    #expect(statuses == [504: 231, 503: 69])
    #expect(timeline.now == .seconds(15))
  }

  @Test("a load that exceeds its deadline becomes a 504")
  func late() throws {
    let (responses, _) = try #require(
      respond(after: .seconds(60), .failure(LoadError(.timeout, "no answer", isRetryable: true))))
    #expect(responses.map(\.status) == [504])
  }

  @Test("errors become status codes")
  func statuses() throws {
    let answer = TransportResponse(status: 404, url: "http://a.example/1.png")
    let (responses, _) = try #require(respond(after: .zero, .success(answer)))
    #expect(responses.map(\.status) == [404])
    #expect(LoadError.Kind.allCases.allSatisfy { LoadError($0, "").httpStatus >= 400 })
  }
}
