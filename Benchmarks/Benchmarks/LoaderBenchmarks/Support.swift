import Cellophane
import CellophaneTesting

/// A decoder that returns its input. Each value has a cost of 100 bytes. Measurements contain only the
/// loader.
struct PassingDecoder: ResourceDecoder {
  func decode(_ bytes: [UInt8], options: Int) throws(LoadError) -> [UInt8] { bytes }
  func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int { 0 }
  func cost(of value: [UInt8]) -> Int { 100 }
}

typealias PassingLoader = ResourceLoader<PassingDecoder>

/// Returns a request whose URL is as long as those of image services.
func request(_ number: Int) throws -> Request<Int> {
  try Request("http://images.example/some/long/path/to/picture-\(number).jpg?size=large", options: 320)
}

/// A loader with 512 requests, whose transport responds immediately.
struct World {
  let loader: PassingLoader
  let requests: [Request<Int>]

  init() throws {
    let timeline = Timeline()
    let transport = ScriptedTransport(timeline: timeline) { _ in .status(200, body: [1]) }
    loader = PassingLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: PassingDecoder(),
      memory: MemoryCache(limit: 1 << 24))
    requests = try (0..<512).map { try request($0) }
  }

  /// Returns a world with all 512 values in memory.
  static func filled() async throws -> World {
    let world = try World()
    for request in world.requests { _ = try await world.loader.load(request) }
    return world
  }
}

/// A loader of small images with 512 requests, whose transport responds after `delay`.
struct PictureWorld {
  let loader: ImageLoader
  let transport: ScriptedTransport
  let requests: [ImageRequest]

  init(delay: Duration) throws {
    let file = try Image(width: 1, height: 1, pixels: [1, 2, 3, 255]).encoded(as: .png)
    let timeline = Timeline()
    transport = ScriptedTransport(timeline: timeline) { _ in .status(200, body: file).after(delay) }
    loader = ImageLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: ImageDecoder(),
      memory: MemoryCache(limit: 1 << 24))
    requests = try (0..<512).map { try ImageRequest(request($0).url) }
  }

  /// Returns a world with all 512 images in memory.
  static func filled() async throws -> PictureWorld {
    let world = try PictureWorld(delay: .zero)
    for request in world.requests { _ = try await world.loader.load(request) }
    return world
  }
}
