@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Reuse of values in memory, in virtual time")
struct MemoryReuseTests {
  /// The `Cache-Control` of the response, whether it has an entity tag, and the sources of the loads at 0, 1,
  /// 9 and 11 seconds.
  static let cases: [(cacheControl: String, hasTag: Bool, sources: [Source])] = [
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

  /// Loads four times, with `policy` from the second load on. Returns the sources of the loads that succeed.
  static func sources(
    _ cacheControl: String, hasTag: Bool, _ reuse: MemoryReuse, then policy: CachePolicy = .standard
  ) -> [Source]? {
    let world = LoaderWorld()
    let headers: HeaderFields =
      hasTag ? ["Cache-Control": cacheControl, "ETag": "\"1\""] : ["Cache-Control": cacheControl]
    world.origin.script("*", .ok("1", headers).obeyingConditions())
    let timeline = world.timeline
    let loader = NumberWorld(world, reuse: reuse).loader
    return world.time.run {
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

  @Test("with untilStale, a value answers as long as HTTP permits", arguments: cases.indices)
  func untilStale(index: Int) {
    let test = Self.cases[index]
    #expect(
      Self.sources(test.cacheControl, hasTag: test.hasTag, .untilStale) == test.sources,
      "\(test.cacheControl)")
  }

  @Test("with untilStale, a stale value does not answer an offline load")
  func offline() {
    let sources = Self.sources(
      "max-age=10, stale-while-revalidate=5", hasTag: false, .untilStale, then: .offline)
    #expect(sources == [.network, .memory, .memory])
  }

  @Test("with untilEvicted, a value answers until it is evicted", arguments: cases.indices)
  func untilEvicted(index: Int) {
    let test = Self.cases[index]
    #expect(
      Self.sources(test.cacheControl, hasTag: test.hasTag, .untilEvicted)
        == [.network, .memory, .memory, .memory],
      "\(test.cacheControl)")
  }
}
