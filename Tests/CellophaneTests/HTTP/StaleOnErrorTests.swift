@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Stale responses on errors")
struct StaleOnErrorTests {
  @Test("a stale response on an error emits an event with the reason and stays out of memory")
  func counters() throws {
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

  @Test("a stale value loaded offline is not kept in memory for later loads")
  func offline() throws {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=10"])
    let loader = ResourceLoader(
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 8_000))
    let got = world.time.run {
      _ = await world.load()
      try? await world.bytes.timeline.sleep(for: .seconds(10))
      var got: [Int?] = []
      for policy in [CachePolicy.offline, .standard, .offline] {
        let headers: HeaderFields = policy == .offline ? ["Cache-Control": "max-stale"] : [:]
        guard let request = try? Request("http://origin/a", headers: headers, options: 1, cachePolicy: policy)
        else { continue }
        got.append(try? await loader.load(request).value)
      }
      return got
    }
    #expect(got == [1, 2, 2])
  }

  /// The answer of an origin, whether `stale-if-error` covers it, and the attempts of a load without a stale response.
  @Test(
    "a stale response is served after the first failure that permits it, without a retry",
    arguments: [
      ("500", true, 3), ("502", true, 3), ("503", true, 3), ("504", true, 3), ("connect", true, 3),
      ("dns", true, 3), ("connection-lost", true, 3), ("timeout", true, 1), ("408", false, 3),
      ("429", false, 3), ("501", false, 3), ("404", false, 1),
    ])
  func firstFailure(answer: String, isCovered: Bool, attempts: Int) async {
    for isAllowed in [true, false] {
      let first = isAllowed ? "Cache-Control: stale-if-error=50" : "200"
      let world = HTTPWorld(answers: [first, answer], retry: RetryPolicy())
      let got = world.time.run { () -> (String, Duration) in
        _ = await world.load()
        let start = world.bytes.timeline.now
        return (await world.load(), world.bytes.timeline.now - start)
      }
      let isStale = isAllowed && isCovered
      let expected = isStale ? 1 : attempts
      #expect((got?.0 == "1 stale") == isStale)
      #expect((got?.1 == .zero) == (expected == 1))
      #expect(world.seen.count == 1 + expected)
      #expect(await world.bytes.activity == (0, 0, 0))
    }
  }

  @Test("an open circuit serves the stale response at once, until the half-open probe succeeds")
  func circuitRejected() {
    let world = HTTPWorld(
      answers: ["Cache-Control: stale-if-error=50", "connect", "200"], retry: RetryPolicy())
    let got = world.time.run { () -> [String] in
      _ = await world.load()
      var got: [String] = []
      // The circuit is open for 250 to 500 ms.
      for pause in [0, 100, 100, 400] {
        try? await world.bytes.timeline.sleep(for: .milliseconds(pause))
        let start = world.bytes.timeline.now
        got.append("\(await world.load()) after \((world.bytes.timeline.now - start) / .seconds(1))")
      }
      return got
    }
    #expect(got == ["1 stale after 0.0", "1 stale after 0.0", "1 stale after 0.0", "3 network after 0.0"])
    #expect(world.bytes.events.counters.circuitRejections == 2)
    #expect(world.seen.count == 3)
  }
}
