@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension RedirectTargetTests {
  @Test("a loop of redirects fails, and a stored redirect that would close it is requested again")
  func loop() {
    let world = RedirectWorld([
      "http://a/": .to("http://a/1", 301), "http://a/1": .to("http://a/", 302, "max-age=600"),
    ])
    #expect(world.load().result == "redirects")
    #expect(world.load("http://a/1", [:], .offline) == ("not-cached", []))
    world.origin.script("http://a/1", .image("one", "max-age=60"))
    #expect(world.load().result == "one network", "the redirect that closes the loop is requested")
  }

  @Test("when the target of a stored redirect fails, its new target is found", arguments: [403, 404, 410])
  func newTarget(status: Int) {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/", .to("http://a/1", 301))
    #expect(world.load().result == "one network")
    world.advance(61)
    world.origin.script("http://a/1", .status(status))
    world.origin.script("http://a/", .to("http://a/2", 301))
    world.origin.script("http://a/2", .image("two", "max-age=60"))
    #expect(world.load() == ("two network", ["http://a/1 if-none-match: \"1\"", "http://a/", "http://a/2"]))
    #expect(world.load() == ("two disk", []))
  }

  @Test("a load retries twice in all, whatever redirects it follows")
  func retriesInAll() {
    let world = RedirectWorld(
      ["http://a/": .to("http://b/", 301), "http://b/": .image("one", "max-age=60")], retries: 2)
    #expect(world.load().result == "one network")
    world.advance(61)
    for url in ["http://a/", "http://b/"] { world.origin.script(url, .status(500)) }
    #expect(world.load() == ("500", ["http://b/", "http://b/", "http://b/", "http://a/"]))
  }

  @Test("a stored redirect that now redirects to itself is abandoned for the redirect before it")
  func leadsToItself() {
    let world = RedirectWorld([
      "http://a/": .to("http://a/1", 301), "http://a/1": .to("http://a/2", 301),
      "http://a/2": .image("one", "max-age=60"),
    ])
    #expect(world.load().result == "one network")
    world.advance(61)
    world.origin.script("http://a/2", .status(404))
    world.origin.script("http://a/1", .to("http://a/1"))
    world.origin.script("http://a/", .to("http://a/3", 301))
    world.origin.script("http://a/3", .image("three", "max-age=60"))
    let (result, requests) = world.load()
    #expect(result == "three network" && requests.count { $0 == "http://a/2" } == 1 && requests.count <= 41)
    #expect(world.load() == ("three disk", []))
  }

  @Test("stored redirects are not requested again while the circuit is open or a failure is known")
  func notRequestedAgain() {
    let site: [String: ScriptedTransport.Answer] = [
      "http://a/": .to("http://a/1", 301), "http://a/1": .to("http://a/2", 301),
      "http://a/2": .image("one", "max-age=60"),
    ]
    let world = RedirectWorld(site, retries: 2, after: .seconds(1))
    #expect(world.load().result == "one network")
    world.advance(61)
    for url in site.keys { world.origin.script(url, .status(429)) }
    #expect(world.load() == ("429", Array(repeating: "http://a/2", count: 3)))

    let known = RedirectWorld(site)
    #expect(known.load().result == "one network")
    known.advance(61)
    known.origin.script("http://a/2", .status(404, ["Cache-Control": "max-age=60"]))
    #expect(known.load() == ("404", ["http://a/2", "http://a/1", "http://a/"]))
    #expect(known.load() == ("404", []))
  }

  @Test("a load follows at most forty redirects, including those that led to nothing")
  func redirectsInAll() {
    let world = RedirectWorld([:])
    for number in 0..<60 {
      world.origin.script("http://a/chain\(number)", .to("http://a/chain\(number + 1)"))
      world.origin.script("http://a/\(number)", .to("http://a/chain0", 301))
    }
    for number in 0..<30 { #expect(world.load("http://a/\(number)").result == "redirects") }
    for number in 0..<30 {
      world.origin.script("http://a/\(number)", .to("http://a/\(number + 1)"))
    }
    let (result, requests) = world.load("http://a/0")
    #expect(result == "redirects" && requests.count <= 41)
  }

  @Test(
    "after a 404, each stored redirect is requested once, the last one first, within the load's time")
  func redirectsInReverse() {
    let world = RedirectWorld(Self.site)
    for number in 1...3 {
      world.origin.script("http://a/\(number)", .to("http://a/\(number + 1)", 301))
    }
    world.origin.script("http://a/", .to("http://a/1", 301))
    world.origin.script("http://a/4", .image("one", "max-age=60"))
    #expect(world.load().result == "one network")
    world.advance(61)
    world.origin.script("http://a/4", .status(404))
    // The last redirect first: any of them may have a new target.
    let redirects = ["http://a/3", "http://a/2", "http://a/1", "http://a/"]
    #expect(world.load() == ("404", ["http://a/4"] + redirects))
    world.origin.script("http://a/3", .to("http://a/6", 301))
    world.origin.script("http://a/6", .image("six", "no-store"))
    #expect(
      world.load() == ("six network", ["http://a/4", "http://a/3", "http://a/6"]),
      "the last redirect has a new target")
    #expect(world.load() == ("six network", ["http://a/6"]))
    world.origin.script("http://a/", .to("http://a/5", 301).after(.seconds(40)))
    world.origin.script("http://a/6", .status(404).after(.seconds(40)))
    world.origin.script("http://a/5", .image("five", "max-age=60"))
    #expect(world.load() == ("timeout", ["http://a/6"] + redirects), "the redirects take more than 60 s")
  }

  @Test(
    "URLs that differ only in a signature are one resource, and no signature is stored",
    arguments: [301, 302])
  func signatures(status: Int) {
    let world = RedirectWorld(
      [
        "http://a/p?sig=1": .to("http://a/p?sig=2", status),
        "http://a/p?sig=3": .to("http://a/p?sig=2", status),
        "http://a/p?sig=2": .image("one", "max-age=60", tag: "\"1\"").obeyingConditions(),
        "http://a/q": .to("http://a/p?sig=2", status),
      ], rules: [QueryRule(ignoring: ["sig"])])
    #expect(world.load("http://a/p?sig=1") == ("one network", ["http://a/p?sig=1", "http://a/p?sig=2"]))
    #expect(world.load("http://a/p?sig=3") == ("one disk", []))
    world.advance(61)
    #expect(world.load("http://a/p?sig=3").result == "one disk")
    #expect(world.load("http://a/q").result == "one disk")
    let texts = world.files.files.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(!texts.isEmpty && texts.allSatisfy { !$0.contains("sig=") })
  }
}
