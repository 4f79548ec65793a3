internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("Worlds of a loader")
struct LoaderWorldTests {
  @Test("a load as text has the body and its source, or the failure")
  func texts() {
    let world = LoaderWorld { $0.retry.retries = 0 }
    world.origin.script(
      "http://h/a", .ok("one", ["cache-control": "max-age=1, stale-if-error=60"]), .status(503))
    world.origin.script("http://h/moved", .redirect(to: "http://h/a"))
    let texts = world.time.run {
      [await world.load("http://h/a"), await world.load("http://h/moved"), await world.load("http://h/none")]
    }
    #expect(texts == ["one network", "one disk", "connect"])
    world.advance(.seconds(2))
    #expect(world.time.now.nanoseconds == 2_000_000_000)
    let later = world.time.run {
      [
        await world.load("http://h/a"), await world.load("http://h/a", [:], .reload),
        await world.load("http://h/b", [:], .offline),
      ]
    }
    #expect(later == ["one disk, stale", "503", "not-cached"])
  }

  @Test("a restart keeps files, origin and time, and may change the configuration")
  func restart() {
    let world = LoaderWorld()
    world.origin.script("http://h/a", .ok("one", ["cache-control": "max-age=60"]))
    _ = world.time.run { await world.load("http://h/a") }
    world.files.inject(.outage(.full))
    let next = world.restarted { $0.limits.bodyBytes = 2 }
    let texts = next.time.run {
      [await next.load("http://h/a", [:], .offline), await next.load("http://h/b")]
    }
    #expect(texts?.first == "not-cached")
    let last = next.restarted { $0.limits.bodyBytes = 3 }
    #expect(last.time.run { await last.load("http://h/a") } == "one disk")
    #expect(last.origin.requests.map(\.url).first == "http://h/a" && last.files.operations > 0)
  }

  @Test("a loader without a disk cache requests each load, through the given transport")
  func withoutDisk() {
    struct Agent: Transport {
      let inner: ScriptedTransport

      func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
        var request = request
        request.headers["user-agent"] = "test"
        return try await inner.exchange(request)
      }
    }
    let world = LoaderWorld(cacheLimit: nil) {
      $0.transfers = 1
    } through: {
      Agent(inner: $0)
    }
    world.origin.script("http://h/a", .ok("one", ["cache-control": "max-age=60"]))
    let texts = world.time.run { [await world.load("http://h/a"), await world.load("http://h/a")] }
    #expect(texts == ["one network", "one network"])
    #expect(world.origin.requests.map { $0.headers["user-agent"] } == ["test", "test"])
    #expect(world.files.files.isEmpty)
  }
}
