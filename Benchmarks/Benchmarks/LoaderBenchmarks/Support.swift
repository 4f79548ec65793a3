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

/// A loader whose transport answers after `delay`, with 512 requests.
struct World {
  let loader: PassingLoader
  let requests: [Request<Int>]

  init(delay: Duration = .zero) throws {
    let timeline = Timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(after: delay, .success(TransportResponse(status: 200, body: [1], url: request.url)))
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
