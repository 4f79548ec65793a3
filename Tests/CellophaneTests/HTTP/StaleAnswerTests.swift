@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("Stale answers in place of errors")
struct StaleAnswerTests {
  @Test("are events with their reason and counted, and are not kept in memory")
  func books() throws {
    let world = HTTPWorld(answers: ["Cache-Control: stale-if-error=50", "503", "connect", "200"])
    let loader = ResourceLoader(
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 8_000))
    let reasons = Shared<[String]>([])
    world.bytes.timeline.spawn {
      for await event in world.bytes.events.events() {
        if case .staleOnError(_, let error, 1) = event.kind {
          reasons.update { $0.append(error.kind.rawValue) }
        }
      }
    }
    let request = try Request("http://origin/a", options: 1)
    let got = world.time.run {
      _ = await world.load()
      var got: [String] = []
      for _ in 0..<4 {
        guard let loaded = try? await loader.load(request) else { continue }
        got.append("\(loaded.value) \(loaded.isStale ? "stale" : loaded.source.rawValue)")
      }
      return got
    }
    #expect(got == ["1 stale", "1 stale", "4 network", "4 memory"])
    #expect(reasons.value == ["status", "connect"])
    let counters = world.bytes.events.counters
    #expect(counters.staleOnError == 2 && counters.failed == 2 && counters.diskHits == 0)
  }

  @Test("offline values that are stale do not stay in memory for those who may ask")
  func offline() throws {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=10"])
    let loader = ResourceLoader(
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 8_000))
    let got = world.time.run {
      _ = await world.load()
      try? await world.bytes.timeline.sleep(for: .seconds(10))
      var got: [Int?] = []
      for policy in [CachePolicy.offline, .standard, .offline] {
        guard let request = try? Request("http://origin/a", options: 1, cachePolicy: policy) else { continue }
        got.append(try? await loader.load(request).value)
      }
      return got
    }
    #expect(got == [1, 2, 2])
  }
}
