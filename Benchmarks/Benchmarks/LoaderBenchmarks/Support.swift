import Cellophane
import CellophaneTesting

/// Passes bytes through and calls each 100 bytes, so that nothing but the loader is measured.
struct PassingDecoder: ResourceDecoder {
  func decode(_ bytes: [UInt8], options: Int) throws(LoadError) -> [UInt8] { bytes }
  func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int { 0 }
  func cost(of value: [UInt8]) -> Int { 100 }
}

typealias PassingLoader = ResourceLoader<PassingDecoder>

/// URLs of the length that image services use.
func request(_ number: Int) throws -> Request<Int> {
  try Request("http://images.example/some/long/path/to/picture-\(number).jpg?size=large", options: 320)
}

/// A loader whose transport answers at once, with 512 requests.
struct World {
  let loader: PassingLoader
  let requests: [Request<Int>]

  init() throws {
    let timeline = Timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(.success(TransportResponse(status: 200, body: [1], url: request.url)))
    }
    loader = PassingLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: PassingDecoder(),
      memory: MemoryCache(limit: 1 << 24))
    requests = try (0..<512).map { try request($0) }
  }

  /// The same with all 512 values in memory.
  static func filled() async throws -> World {
    let world = try World()
    for request in world.requests { _ = try await world.loader.load(request) }
    return world
  }
}

/// A loader of small pictures, whose transport answers after `delay`, with 512 requests.
struct PictureWorld {
  let loader: ImageLoader
  let transport: ScriptedTransport
  let requests: [ImageRequest]

  init(delay: Duration) throws {
    let file = try Image(width: 1, height: 1, pixels: [1, 2, 3, 255]).encoded(as: .png)
    let timeline = Timeline()
    transport = ScriptedTransport(timeline: timeline) { request in
      .init(after: delay, .success(TransportResponse(status: 200, body: file, url: request.url)))
    }
    loader = ImageLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: ImageDecoder(),
      memory: MemoryCache(limit: 1 << 24))
    requests = try (0..<512).map { try ImageRequest(request($0).url) }
  }

  /// The same with all 512 pictures in memory.
  static func filled() async throws -> PictureWorld {
    let world = try PictureWorld(delay: .zero)
    for request in world.requests { _ = try await world.loader.load(request) }
    return world
  }
}
