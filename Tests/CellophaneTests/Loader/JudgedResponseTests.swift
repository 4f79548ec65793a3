internal import CellophaneTesting
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
      $0.judge = { _, headers in headers["x-robots-tag"] == nil ? nil : LoadError(.optedOut, "no") }
    }
    #expect(judging.time.run { await judging.load(url) } == "opted-out")
    #expect(judging.origin.counters.started == 1)
    judging.advance(.seconds(20))
    #expect(judging.time.run { await judging.load(url) } == "opted-out")
    #expect(judging.time.run { await judging.load(url) } == "three network")
    #expect(judging.origin.counters.started == 3)
    #expect(judging.time.run { await judging.isIdle() } == true)
  }
}
