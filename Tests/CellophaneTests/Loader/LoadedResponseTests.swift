@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("The response of a loaded value, in virtual time")
struct LoadedResponseTests {
  private let start = VirtualTime().timeline().secondsSince1970

  /// Loads number 1 of `world` in each of its steps, and returns what each load gave.
  private func loads(_ world: NumberWorld, count: Int = 1, every pause: Duration = .seconds(1)) -> [Loaded<
    Int
  >] {
    world.time.run {
      var all: [Loaded<Int>] = []
      for index in 0..<count {
        if index > 0 { try? await world.timeline.sleep(for: pause) }
        if let loaded = try? await world.loader.load(NumberRequest(1)) { all.append(loaded) }
      }
      return all
    } ?? []
  }

  @Test("loaded values and bytes print in a line, without their bytes")
  func descriptions() async throws {
    let base = LoaderWorld()
    base.origin.script("*", .ok("12", ["cache-control": "max-age=60"]))
    #expect(loads(NumberWorld(base), count: 2).map { "\($0)" } == ["12 from network", "12 from memory"])
    let bytes = base.time.run { try? await base.bytes.load(NumberRequest(1)) } ?? nil
    var dumped = ""
    dump(try #require(bytes), to: &dumped)
    #expect("\(try #require(bytes))" == "LoadedBytes(200, 2 bytes from disk)" && !dumped.contains("49"))
  }

  @Test("network, memory and disk give the same status, URL and header fields")
  func tiers() throws {
    let base = LoaderWorld()
    base.origin.script(
      "*", .ok("1", ["cache-control": "max-age=60", "content-type": "text/plain"]).after(.milliseconds(20)))
    let first = loads(NumberWorld(base), count: 2)
    let second = loads(NumberWorld(base.restarted()))
    #expect((first + second).map(\.source) == [.network, .memory, .disk])
    for response in try (first + second).map({ try #require($0.response) }) {
      #expect(response.url == "http://origin/1" && response.status == 200)
      #expect(response.headers["content-type"] == "text/plain")
      #expect(response.requestedAt == start && response.freshUntil == start + 60)
      #expect(response.description == "200 http://origin/1")
    }
    #expect(first.map { $0.response?.metrics?.attempts } == [1, 1] && second[0].response?.metrics == nil)
  }

  @Test(
    "the freshness is that of the response",
    arguments: [
      ("max-age=30", 30), ("no-cache", 0), ("max-age=30, no-cache", 0), ("no-store, max-age=9", 0), ("", 0),
      ("max-age=0, stale-while-revalidate=9", 0), ("max-age=7, must-revalidate", 7), ("s-maxage=5", 0),
    ] as [(String, Int64)])
  func freshness(control: String, seconds: Int64) throws {
    let base = LoaderWorld()
    base.origin.script("*", .ok("1", control.isEmpty ? [:] : ["cache-control": control]))
    let response = try #require(loads(NumberWorld(base)).first?.response)
    #expect(response.freshUntil - response.requestedAt == seconds)
  }

  @Test("after a redirect, the URL is that of the target, and the redirect limits the freshness")
  func redirect() throws {
    let base = LoaderWorld()
    base.origin.script(
      "http://origin/1", .redirect(to: "http://cdn/1?signature=x", ["cache-control": "max-age=10"]))
    base.origin.script("http://cdn/*", .ok("1", ["cache-control": "max-age=60"]))
    let all = loads(NumberWorld(base), count: 2) + loads(NumberWorld(base.restarted()))
    #expect(all.map(\.source) == [.network, .memory, .disk])
    #expect(all.map { $0.response?.url } == Array(repeating: "http://cdn/1?signature=x", count: 3))
    #expect(all.map { $0.response?.freshUntil } == Array(repeating: start + 10, count: 3))
  }

  @Test("a validation renews the response of the value in memory")
  func validation() throws {
    let base = LoaderWorld()
    base.origin.script(
      "*",
      .ok("1", ["etag": "\"a\"", "cache-control": "max-age=5, stale-while-revalidate=600"])
        .obeyingConditions().after(.milliseconds(10)))
    let world = NumberWorld(base)
    let all = loads(world, count: 3, every: .seconds(20))
    #expect(all.map(\.source) == [.network, .memory, .memory] && all.map(\.isStale) == [false, true, true])
    // The refresh that the second load started had validated the response.
    #expect(all.map { $0.response?.requestedAt } == [start, start, start + 20])
  }

  @Test("loaded bytes have the same response")
  func bytes() throws {
    let world = LoaderWorld()
    world.origin.script("http://h/a", .redirect(to: "http://h/b"))
    world.origin.script("http://h/b", .ok("text", ["x-name": "1"]))
    let loaded = try #require(
      world.time.run { try? await world.bytes.load(Request("http://h/a", options: NoOptions())) } ?? nil)
    #expect(loaded.url == "http://h/b" && loaded.response.url == loaded.url)
    #expect(loaded.response.headers["x-name"] == "1" && loaded.response.metrics == loaded.fetchMetrics)
  }

  @Test("a value that was inserted by hand has no response")
  func inserted() {
    let world = NumberWorld()
    world.loader.memory.insert(5, for: NumberRequest(1).key, cost: 8)
    let loaded = loads(world)
    #expect(loaded.map(\.value) == [5] && loaded[0].response == nil)
  }

  @Test("large heads count as memory")
  func cost() {
    let base = LoaderWorld()
    base.origin.script("*", .ok("1", ["x-large": String(repeating: "x", count: 5_000)]))
    let world = NumberWorld(base)
    #expect(loads(world).count == 1)
    #expect(world.loader.memory.cost > 5_000 && world.loader.memory.cost < 6_000)
  }
}
