@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Targets of redirects as separate resources, in virtual time")
struct RedirectTargetTests {
  static let site: [String: ScriptedTransport.Answer] = [
    "http://a/": .to("http://a/1"), "http://a/1": .image("one", "max-age=60", tag: "\"1\""),
  ]

  @Test("a stale target is validated; a redirect without a lifetime is requested each time")
  func freshness() {
    let world = RedirectWorld(Self.site)
    #expect(world.load() == ("one network", ["http://a/", "http://a/1"]))
    world.advance(59)
    #expect(world.load() == ("one disk", ["http://a/"]))
    world.advance(2)
    world.origin.script("http://a/1", .image("one", "max-age=60", tag: "\"1\"").obeyingConditions())
    #expect(world.load() == ("one disk", ["http://a/", "http://a/1 if-none-match: \"1\""]))
    world.advance(59)
    #expect(world.load() == ("one disk", ["http://a/"]))
    world.advance(2)
    world.origin.script("http://a/1", .image("two", "max-age=60"))
    #expect(world.load() == ("two network", ["http://a/", "http://a/1 if-none-match: \"1\""]))
    #expect(world.load() == ("two disk", ["http://a/"]))
  }

  @Test("a stored target answers requests for its URL and through any redirect")
  func shared() {
    let world = RedirectWorld(
      Self.site.merging(["http://b/": .to("http://c/"), "http://c/": .to("http://a/1")]) { $1 })
    #expect(world.load().result == "one network")
    #expect(world.load("http://a/1") == ("one disk", []))
    #expect(world.load("http://b/") == ("one disk", ["http://b/", "http://c/"]))
    let other = RedirectWorld(Self.site)
    #expect(other.load("http://a/1").result == "one network")
    #expect(other.load() == ("one disk", ["http://a/"]))
  }

  @Test("a redirect that changes its target is followed to the new one")
  func moved() {
    let world = RedirectWorld(Self.site)
    #expect(world.load().result == "one network")
    world.origin.script("http://a/", .to("http://a/2"))
    world.origin.script("http://a/2", .image("two", "max-age=60"))
    #expect(world.load() == ("two network", ["http://a/", "http://a/2"]))
    #expect(world.load() == ("two disk", ["http://a/"]))
  }

  @Test(
    "a target that must be validated or must not be stored is requested each time",
    arguments: ["no-cache", "max-age=0", "no-store"])
  func notReusable(cacheControl: String) {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/1", .image("one", cacheControl))
    for _ in 1...2 { #expect(world.load() == ("one network", ["http://a/", "http://a/1"])) }
    #expect(world.storedCount == (cacheControl == "no-store" ? 0 : 1))
  }

  @Test("reload and offline apply to the redirect and to its target")
  func policies() {
    let world = RedirectWorld(Self.site)
    #expect(world.load().result == "one network")
    world.origin.script("http://a/1", .image("two", "max-age=60", tag: "\"1\""))
    #expect(
      world.load("http://a/", [:], .reload)
        == ("two network", ["http://a/ cache-control: no-cache", "http://a/1 cache-control: no-cache"]))
    #expect(world.load() == ("two disk", ["http://a/"]))
    #expect(world.load("http://a/", [:], .offline) == ("not-cached", []))
    #expect(world.load("http://a/1", [:], .offline) == ("two disk", []))
  }

  @Test("a target received with credentials answers no request without them")
  func identity() {
    let world = RedirectWorld(Self.site)
    let secret: HeaderFields = ["Authorization": "s"]
    #expect(
      world.load("http://a/", secret)
        == ("one network", ["http://a/ authorization: s", "http://a/1 authorization: s"]))
    #expect(world.storedCount == 0)
    #expect(world.load("http://a/1").result == "one network")
    #expect(world.load("http://a/", secret).requests.count == 2)
  }

  @Test("another origin receives no credentials, and its response to such a load is not stored")
  func otherOrigin() {
    let world = RedirectWorld(["http://a/": .to("http://b/"), "http://b/": .image("one", "max-age=60")])
    #expect(
      world.load("http://a/", ["Authorization": "s", "Accept": "image/*"])
        == ("one network", ["http://a/ accept: image/* authorization: s", "http://b/ accept: image/*"]))
    #expect(world.storedCount == 0)
    #expect(world.load("http://a/", ["Accept": "image/*"]).requests.count == 2)
    #expect(world.load("http://b/", ["Accept": "image/*"]) == ("one disk", []))
    #expect(world.load("http://b/").result == "one network")
  }

  @Test("a stale target answers after a failure, as its own and the request's stale-if-error permit")
  func staleOnError() {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/1", .image("one", "max-age=1, stale-if-error=60"))
    #expect(world.load().result == "one network")
    world.advance(2)
    world.origin.script("http://a/1", .status(503))
    #expect(world.load() == ("one disk, stale", ["http://a/", "http://a/1"]))
    #expect(world.bytes.events.counters.staleOnError == 1)
    #expect(world.storedCount == 1, "the first URL has no entry")
    world.origin.script("http://a/1", .failure(.connect))
    #expect(world.load().result == "one disk, stale")
    #expect(world.load("http://a/", ["Cache-Control": "stale-if-error=0"]).result == "connect")
    world.advance(60)
    #expect(world.load().result == "connect")
  }

  @Test("a stale target answers a request with max-stale, marked as stale, and no other request")
  func acceptedStale() {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/", .to("http://a/1", 302, "max-age=600"))
    world.origin.script("http://a/1", .image("one", "max-age=1", tag: "\"1\""))
    #expect(world.load("http://a/1").result == "one network")
    world.advance(2)
    #expect(
      world.load("http://a/", ["Cache-Control": "max-stale=60"])
        == ("one disk, stale", ["http://a/ cache-control: max-stale=60"]))
    #expect(world.storedCount == 2, "the redirect is stored, too")
    #expect(world.load().requests == ["http://a/1 if-none-match: \"1\""])
  }

  @Test("the load reports a store failure of its target")
  func storeFailure() {
    let world = RedirectWorld(Self.site)
    world.files.device = .init(capacity: 0)
    let failure = world.time.run {
      try? await world.bytes.load(Request("http://a/", options: 0)).storeFailure
    }
    #expect(failure != nil)
  }

  /// The `Cache-Control` of the target and of the redirect, the seconds for which memory answers, and the age
  /// of the target on disk before.
  @Test(
    "with untilStale, memory answers no longer than the responses on disk permit",
    arguments: [
      ("max-age=10", "max-age=600", 10, 0), ("max-age=10", nil, 0, 0), ("max-age=600", "max-age=10", 10, 0),
      ("max-age=0, stale-while-revalidate=60", nil, 0, 0), ("max-age=60", "max-age=600, no-store", 0, 0),
      ("max-age=10, stale-while-revalidate=60", "max-age=30", 30, 0),
      ("max-age=10, stale-while-revalidate=60", "max-age=600", 70, 0),
      ("max-age=10, stale-while-revalidate=60", "max-age=600", 40, 30),
    ] as [(String, String?, Int, Int)])
  func memory(target: String, redirect: String?, seconds: Int, age: Int) {
    let world = RedirectWorld([
      "http://a/": .to("http://a/1", 302, redirect), "http://a/1": .image("1", target),
    ])
    #expect(world.load("http://a/1").result == "1 network")
    world.advance(age)
    let loader = ResourceLoader(
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000), reuse: .untilStale)
    let url = age > 0 ? "http://a/1" : "http://a/"
    let answers = world.time.run { () -> [Bool] in
      _ = try? await loader.load(Request(url, options: 1))
      // No refresh can replace the value.
      for url in ["http://a/", "http://a/1"] { world.origin.script(url, .failure(.connect)) }
      var answers: [Bool] = []
      for second in [max(0, seconds - 1), seconds] {
        try? await world.bytes.timeline.sleep(for: .seconds(age + second) - world.bytes.timeline.now)
        answers.append((try? Request(url, options: 1)).flatMap { loader.cached($0) } != nil)
      }
      return answers
    }
    #expect(answers == [seconds > 0, false])
  }

  @Test("the validators of a URL are not sent to the target to which it redirects now")
  func conditions() {
    let world = RedirectWorld(["http://a/": .image("old", "max-age=1", tag: "\"0\"")])
    #expect(world.load().result == "old network")
    world.advance(2)
    world.script(Self.site)
    #expect(world.load() == ("one network", ["http://a/ if-none-match: \"0\"", "http://a/1"]))
    #expect(world.load() == ("one disk", ["http://a/"]))
  }

  @Test("a 404 or 410 removes the target from disk", arguments: [404, 410])
  func gone(status: Int) {
    let world = RedirectWorld(Self.site)
    #expect(world.load().result == "one network")
    world.advance(61)
    world.origin.script("http://a/1", .status(status))
    #expect(world.load().result == "\(status)")
    #expect(world.load("http://a/1", ["Cache-Control": "max-stale"], .offline).result == "not-cached")
  }

  @Test("a redirect with an explicit lifetime is fresh for that time from its request on")
  func lifetime() {
    for delay in [0, 5] {
      let world = RedirectWorld(Self.site)
      world.origin.script("http://a/", .to("http://a/1", 302, "max-age=60").after(.seconds(delay)))
      world.origin.script("http://a/1", .image("one", "max-age=600"))
      #expect(world.load().result == "one network")
      world.advance(59 - delay)
      #expect(world.load() == ("one disk", []))
      world.advance(2)
      #expect(world.load("http://a/", [:], .offline) == ("not-cached", []))
      #expect(world.load("http://a/", ["Cache-Control": "max-stale"], .offline) == ("one disk, stale", []))
      #expect(world.load() == ("one disk", ["http://a/"]))
    }
  }

  @Test(
    "a permanent redirect is fresh for a day, unless its Cache-Control differs",
    arguments: [
      (301, nil, 1), (308, nil, 1), (302, nil, 2), (307, nil, 2), (301, "no-store", 2), (308, "no-cache", 2),
      (301, "max-age=0", 2),
    ] as [(Int, String?, Int)])
  func permanent(status: Int, cacheControl: String?, requests: Int) {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/", .to("http://a/1", status, cacheControl))
    world.origin.script("http://a/1", .image("one", "max-age=1000000"))
    #expect(world.load().result == "one network")
    world.advance(86_300)
    #expect(world.load().requests.count + 1 == requests)
    world.advance(200)
    #expect(world.load().requests == ["http://a/"])
  }

  @Test("a target that is replaced or gone is replaced or gone for all redirects to it")
  func sharedUpdate() {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/", .to("http://a/1", 301))
    #expect(world.load().result == "one network")
    world.origin.script("http://a/1", .image("two", "max-age=60"))
    #expect(world.load("http://a/1", [:], .reload).result == "two network")
    #expect(world.load() == ("two disk", []))
    world.origin.script("http://a/1", .status(410))
    #expect(world.load("http://a/1", [:], .reload).result == "410")
    #expect(world.load("http://a/", ["Cache-Control": "max-stale"], .offline).result == "not-cached")
  }
}
