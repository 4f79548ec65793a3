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
  /// Requests that may wait for the network; further ones are refused.
  let longestQueue = 200

  init(transport: some Transport, disk: DiskCache?, timeline: Timeline = Timeline()) {
    var configuration = ByteLoader.Configuration()
    configuration.transfers = 32
    configuration.limits.bodyBytes = 20 << 20
    configuration.limits.total = .seconds(10)
    bytes = ByteLoader(
      transport: transport, disk: disk, configuration: configuration, timeline: timeline)
    var limits = DecodingLimits()
    limits.workingBytes = 256 << 20
    thumbnails = ResourceLoader(
      bytes: bytes, decoder: ThumbnailDecoder(), memory: MemoryCache(limit: 256 << 20),
      reuse: .untilStale, limits: limits)
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
      guard await bytes.activity.waiting < longestQueue else {
        return Response(status: 503, headers: ["retry-after": "2"])
      }
      return .thumbnail(try await load(request, within: .seconds(15)))
    } catch {
      return .failure(error)
    }
  }
}

extension ThumbnailService {
  /// Loads a thumbnail, and gives up after `limit`, which includes the time in the queue.
  func load(_ request: ImageRequest, within limit: Duration) async throws(LoadError) -> [UInt8] {
    let timeline = bytes.timeline
    let result = await withTaskGroup(of: Result<[UInt8], LoadError>.self) { group in
      group.addTask {
        do throws(LoadError) {
          return .success(try await thumbnails.load(request).value)
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await timeline.sleep(for: limit)
        return .failure(LoadError(.timeout, "no thumbnail within \(limit)", isRetryable: true))
      }
      let first = await group.next() ?? .failure(.cancelled)
      group.cancelAll()
      return first
    }
    return try result.get()
  }
}

extension ThumbnailService.Response {
  static func thumbnail(_ body: [UInt8]) -> Self {
    Self(
      status: 200, headers: ["content-type": "image/jpeg", "cache-control": "public, max-age=300"],
      body: body)
  }

  static func failure(_ error: LoadError) -> Self {
    var headers = ["content-type": "text/plain; charset=utf-8"]
    if let pause = error.retryAfter { headers["retry-after"] = "\(pause.components.seconds + 1)" }
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
