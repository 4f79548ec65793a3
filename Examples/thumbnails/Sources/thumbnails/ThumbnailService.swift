internal import Cellophane
internal import Foundation

// The service of the article "A thumbnail server", without an HTTP framework. The tests of the article compile this
// file, too, and run the service in virtual time.

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

  init(
    transport: some Transport, disk: DiskCache?, deadline: Duration = .seconds(15),
    timeline: Timeline = Timeline()
  ) {
    bytes = ByteLoader(
      transport: transport, disk: disk,
      configuration: .init(
        transfers: 32, maxWaiting: 200, deadline: deadline,
        limits: TransferLimits(bodyBytes: 20 << 20, total: .seconds(10))),
      timeline: timeline)
    // A decoding occupies a thread of Swift's pool, which has one for each core. Hits, deadlines and the HTTP server
    // need a free one. On a single core they wait for the decoding that runs.
    let decoders = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    thumbnails = ResourceLoader(
      bytes: bytes, decoder: ThumbnailDecoder(), memory: MemoryCache(limit: 256 << 20),
      reuse: .untilStale,
      limits: DecodingLimits(decoders: decoders, workingBytes: 256 << 20, maxWaiting: 32))
  }
}

extension ThumbnailService {
  struct Response: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []
  }

  /// Returns the request for a square thumbnail. Few sizes, so that a client cannot fill the caches with one image.
  func request(for url: String, side: Int) throws(LoadError) -> ImageRequest {
    guard [64, 128, 256, 512].contains(side) else {
      throw LoadError(.invalidRequest, "the size must be 64, 128, 256 or 512")
    }
    return try ImageRequest(url, size: PixelSize(width: side, height: side), mode: .fill)
  }

  func respond(to request: ImageRequest) async -> Response {
    do throws(LoadError) {
      let loaded = try await thumbnails.load(request)
      return .thumbnail(loaded.value, of: loaded.response, at: bytes.timeline.secondsSince1970)
    } catch {
      return .failure(error)
    }
  }
}

extension ThumbnailService.Response {
  /// A thumbnail that caches keep for as long as its image is fresh, at least a minute, where the origin permits it.
  static func thumbnail(_ body: [UInt8], of image: LoadedResponse?, at now: Int64) -> Self {
    let directives = (image?.headers.values(of: "cache-control") ?? []).joined(separator: ",").lowercased()
    let seconds = max(60, (image?.freshUntil ?? now) - now)
    let caching =
      if directives.contains("no-store") {
        "no-store"
      } else if directives.contains("no-cache") {
        "no-cache"
      } else {
        "\(directives.contains("private") ? "private" : "public"), max-age=\(seconds)"
      }
    return Self(
      status: 200, headers: ["content-type": "image/jpeg", "cache-control": caching], body: body)
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
    case .refused, .optedOut: 403
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

func makeService(
  cachedIn directory: String, addresses: AddressRules = .publicOnly, deadline: Duration = .seconds(15)
) -> (ThumbnailService, CurlTransport) {
  let transport = CurlTransport(.init(addresses: addresses))
  let disk = DiskCache(directory: directory, limit: 4 << 30)
  return (ThumbnailService(transport: transport, disk: disk, deadline: deadline), transport)
}

/// Ends the service, after its server has stopped accepting requests.
func shutDown(_ service: ThumbnailService, _ transport: CurlTransport) async {
  await service.bytes.settle()
  await transport.close()
}
