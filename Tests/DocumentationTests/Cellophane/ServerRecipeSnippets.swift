internal import Cellophane
internal import CellophaneTesting
internal import Testing

// The code of Sources/Cellophane/Cellophane.docc/ServerRecipe.md.

/// Decodes an image, reduces it and encodes it again: its value is the body of a response.
struct ThumbnailDecoder: ResourceDecoder {
  private let images = ImageDecoder(maximumPixels: 50_000_000, timeLimit: .seconds(3))

  func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> [UInt8] {
    try images.decode(bytes, options: options).encoded(as: .jpeg(quality: 80))
  }

  func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    try images.workingBytes(for: bytes, options: options)
  }

  func cost(of value: [UInt8]) -> Int { value.count }
}

struct ThumbnailService: Sendable {
  let bytes: ByteLoader
  let thumbnails: ResourceLoader<ThumbnailDecoder>

  init(transport: some Transport, disk: DiskCache?, timeline: Timeline = Timeline()) {
    bytes = ByteLoader(
      transport: transport, disk: disk,
      configuration: .init(
        transfers: 32, maxWaiting: 200, deadline: .seconds(15),
        limits: TransferLimits(bodyBytes: 20 << 20, total: .seconds(10))),
      timeline: timeline)
    thumbnails = ResourceLoader(
      bytes: bytes, decoder: ThumbnailDecoder(), memory: MemoryCache(limit: 256 << 20),
      reuse: .untilStale, limits: DecodingLimits(workingBytes: 256 << 20, maxWaiting: 32))
  }
}

extension ThumbnailService {
  struct Response: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []
  }

  func respond(to url: String) async -> Response {
    do throws(LoadError) {
      let request = try ImageRequest(url, size: PixelSize(width: 256, height: 256), mode: .fill)
      // No suspension: a hit does not wait behind other requests.
      if let body = thumbnails.cached(request) { return .thumbnail(body) }
      let loaded = try await thumbnails.load(request)
      return .thumbnail(loaded.value, of: loaded.response, at: bytes.timeline.secondsSince1970)
    } catch {
      return .failure(error)
    }
  }
}

extension ThumbnailService.Response {
  /// A thumbnail, which is fresh for as long as the image from which it was made, or else for a minute.
  static func thumbnail(_ body: [UInt8], of image: LoadedResponse? = nil, at now: Int64 = 0) -> Self {
    let seconds = max(60, (image?.freshUntil ?? now) - now)
    return Self(
      status: 200, headers: ["content-type": "image/jpeg", "cache-control": "public, max-age=\(seconds)"],
      body: body)
  }

  static func failure(_ error: LoadError) -> Self {
    var headers = ["content-type": "text/plain; charset=utf-8"]
    let pause = error.kind == .busy ? .seconds(1) : error.retryAfter
    if let pause { headers["retry-after"] = "\(pause.components.seconds + 1)" }
    return Self(status: error.httpStatus, headers: headers, body: Array(error.message.utf8))
  }
}

extension LoadError {
  /// The status code for a client of the service.
  var httpStatus: Int {
    switch kind {
    case .cancelled: 499
    case .invalidRequest: 400
    case .refused: 403
    case .status: status == 404 || status == 410 ? 404 : 502
    case .dns, .connect, .tls, .connectionLost, .malformedResponse, .redirects: 502
    case .timeout, .notCached: 504
    case .bodyTooLarge, .imageTooLarge: 422
    case .unsupported, .corrupt, .truncated: 415
    case .io: 500
    case .busy, .closed: 503
    }
  }
}

func makeService(cachedIn directory: String) -> (ThumbnailService, CurlTransport) {
  let transport = CurlTransport(.server)
  let disk = DiskCache(directory: directory, limit: 4 << 30)
  return (ThumbnailService(transport: transport, disk: disk), transport)
}

/// Ends the service, after its server has stopped accepting requests.
func shutDown(_ service: ThumbnailService, _ transport: CurlTransport) async {
  await service.bytes.settle()
  await transport.close()
}

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
      for _ in 0..<times { responses.append(await service.respond(to: "http://a.example/1.png")) }
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
      respond(after: .seconds(1), .success(try png(["cache-control": "max-age=60"])), times: 3))
    #expect(responses.map(\.status) == [200, 200, 200] && exchanges == 1)
    #expect(responses[0].body.starts(with: [0xFF, 0xD8]) && responses[2].body == responses[0].body)
    #expect(responses[0].headers["cache-control"] == "public, max-age=60")
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
          group.addTask { await service.respond(to: "http://h\(number).example/1.png").status }
        }
        return await group.reduce(into: [:] as [Int: Int]) { $0[$1, default: 0] += 1 }
      }
    }
    // 30 of the 32 transfers are not reserved for visible rows, and 200 wait.
    #expect(statuses == [504: 230, 503: 70])
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
