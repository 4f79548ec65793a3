internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Cellophane

@Suite("Responses that are refused by their header, in virtual time")
struct JudgedResponseTests {
  @Test("a stored response is judged when it answers, and a stale one is asked for again")
  func stored() {
    let url = "http://h/a"
    let fields: HeaderFields = [
      "cache-control": "max-age=10, stale-while-revalidate=1000", "x-robots-tag": "noai",
    ]
    let world = LoaderWorld()
    world.origin.script(
      url, .ok("one", fields), .ok("two", fields), .ok("three", ["cache-control": "max-age=10"]))
    #expect(world.time.run { await world.load(url) } == "one network")
    let judging = world.restarted {
      $0.admit = { _ in { headers in headers["x-robots-tag"] == nil ? nil : LoadError(.optedOut, "no") } }
    }
    #expect(judging.time.run { await judging.load(url) } == "opted-out")
    #expect(judging.origin.counters.started == 1)
    judging.advance(.seconds(20))
    #expect(judging.time.run { await judging.load(url) } == "opted-out")
    #expect(judging.time.run { await judging.load(url) } == "three network")
    #expect(judging.origin.counters.started == 3)
    #expect(judging.time.run { await judging.isIdle() } == true)
  }

  @Test("the response at the end of redirects is judged, by its own URL")
  func redirected() {
    let fields: HeaderFields = ["cache-control": "max-age=1000", "x-robots-tag": "noai"]
    let world = LoaderWorld {
      $0.admit = { url in
        { headers in
          headers["x-robots-tag"] == nil || url == "http://h/target" ? nil : LoadError(.optedOut, "no")
        }
      }
    }
    world.origin.script("http://h/moved", .redirect(to: "http://h/target", fields))
    world.origin.script("http://h/target", .ok("one", fields))
    // From the origin, then from the cache.
    #expect(world.time.run { await world.load("http://h/moved") } == "one network")
    #expect(world.time.run { await world.load("http://h/moved") } == "one disk")
    let strict = world.restarted {
      $0.admit = { url in { _ in url == "http://h/target" ? LoadError(.optedOut, "no") : nil } }
    }
    #expect(strict.time.run { await strict.load("http://h/moved") } == "opted-out")
    // The origin of a cached redirect is asked once more, because it may have another target now.
    #expect(strict.origin.counters.started == 3)
  }

  @Test("each URL of a chain of redirects is admitted before it is requested")
  func admitted() {
    let urls = Mutex<[String]>([])
    let world = LoaderWorld {
      $0.admit = { url async throws(LoadError) in
        urls.withLock { $0.append(url) }
        if url.hasSuffix("private") { throw LoadError(.optedOut, "no") }
        return { _ in nil }
      }
    }
    world.origin.script("http://h/moved", .redirect(to: "http://h/next", ["cache-control": "max-age=9"]))
    world.origin.script("http://h/next", .redirect(to: "http://h/private"))
    #expect(world.time.run { await world.load("http://h/moved") } == "opted-out")
    #expect(urls.withLock(\.self).prefix(3) == ["http://h/moved", "http://h/next", "http://h/private"])
    #expect(world.origin.counters.started == 2)
    #expect(world.time.run { await world.isIdle() } == true)
  }
}
