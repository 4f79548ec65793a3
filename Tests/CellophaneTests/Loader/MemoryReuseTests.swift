@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("For how long a value in memory answers, in virtual time")
struct MemoryReuseTests {
  /// What an origin says, and where the loads at 0, 1, 9 and 11 seconds are answered from.
  static let lines: [(says: String, tag: Bool, sources: [Source])] = [
    ("max-age=10", false, [.network, .memory, .memory, .network]),
    ("max-age=10, must-revalidate", true, [.network, .memory, .memory, .disk]),
    ("max-age=10, stale-while-revalidate=5", false, [.network, .memory, .memory, .memory]),
    ("max-age=10, must-revalidate, stale-while-revalidate=5", true, [.network, .memory, .memory, .disk]),
    ("max-age=2, stale-while-revalidate=2", true, [.network, .memory, .disk, .memory]),
    ("no-cache", true, [.network, .disk, .disk, .disk]),
    ("no-store, max-age=10", false, [.network, .network, .network, .network]),
    ("private", false, [.network, .network, .network, .network]),
    ("max-age=0", true, [.network, .disk, .disk, .disk]),
  ]

  /// A loader of the number that counts exchanges, and the sources of its loads, as far as they succeed.
  static func sources(
    _ says: String, tag: Bool, _ reuse: MemoryReuse, then policy: CachePolicy = .standard
  ) -> [Source]? {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      var response = TransportResponse(
        status: request.headers["if-none-match"] == nil ? 200 : 304, headers: ["Cache-Control": says],
        body: Array("1".utf8), url: request.url)
      if tag { response.headers.append("ETag", "\"1\"") }
      if response.status == 304 { response.body = [] }
      return .init(.success(response))
    }
    let bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(
        directory: "/cache", fileSystem: MemoryFileSystem(), executor: time.lane(), timeline: timeline),
      timeline: timeline)
    let loader = ResourceLoader(
      bytes: bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000), reuse: reuse)
    return time.run {
      var sources: [Source] = []
      for second in [0, 1, 9, 11] {
        try? await timeline.sleep(for: .seconds(second) - timeline.now)
        let request = NumberRequest(1, policy: second == 0 ? .standard : policy)
        let isInMemory = loader.cached(request) != nil
        guard let loaded = try? await loader.load(request) else { continue }
        sources.append(loaded.source)
        #expect(isInMemory == (loaded.source == .memory))
        while await loader.activity != (0, 0) { try? await timeline.sleep(for: .milliseconds(1)) }
      }
      return sources
    }
  }

  @Test("while it is fresh", arguments: lines.indices)
  func untilStale(index: Int) {
    let line = Self.lines[index]
    #expect(Self.sources(line.says, tag: line.tag, .untilStale) == line.sources, "\(line.says)")
  }

  @Test("while it is fresh and no longer, when nobody may be asked about it")
  func offline() {
    let sources = Self.sources(
      "max-age=10, stale-while-revalidate=5", tag: false, .untilStale, then: .offline)
    #expect(sources == [.network, .memory, .memory])
  }

  @Test("while it is there, whatever the origin said", arguments: lines.indices)
  func untilEvicted(index: Int) {
    let line = Self.lines[index]
    #expect(
      Self.sources(line.says, tag: line.tag, .untilEvicted) == [.network, .memory, .memory, .memory],
      "\(line.says)")
  }
}
