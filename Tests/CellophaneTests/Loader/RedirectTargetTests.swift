@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("What redirects lead to is a resource of its own, in virtual time")
struct RedirectTargetTests {
  typealias Answer = RedirectWorld.Answer

  static func world(_ site: [String: Answer]) -> RedirectWorld {
    let world = RedirectWorld()
    world.site.value = site
    return world
  }

  static let site: [String: Answer] = [
    "http://a/": .to("http://a/1"), "http://a/1": .picture("one", "max-age=60", tag: "\"1\""),
  ]

  @Test("it is fresh as long as it says, and asked whether it still holds; the redirect is asked each time")
  func freshness() {
    let world = Self.world(Self.site)
    #expect(world.load() == ("one network", ["http://a/", "http://a/1"]))
    world.pass(59)
    #expect(world.load() == ("one disk", ["http://a/"]))
    world.pass(2)
    world.site.update { $0["http://a/1"]?.status = 304 }
    #expect(world.load() == ("one disk", ["http://a/", "http://a/1 if-none-match: \"1\""]))
    world.pass(59)
    #expect(world.load() == ("one disk", ["http://a/"]))
    world.pass(2)
    world.site.update { $0["http://a/1"] = .picture("two", "max-age=60") }
    #expect(world.load() == ("two network", ["http://a/", "http://a/1 if-none-match: \"1\""]))
    #expect(world.load() == ("two disk", ["http://a/"]))
  }

  @Test("it answers whoever asks for it, by whatever way")
  func shared() {
    let world = Self.world(
      Self.site.merging(["http://b/": .to("http://c/"), "http://c/": .to("http://a/1")]) { $1 })
    #expect(world.load().got == "one network")
    #expect(world.load("http://a/1") == ("one disk", []))
    #expect(world.load("http://b/") == ("one disk", ["http://b/", "http://c/"]))
    let other = Self.world(Self.site)
    #expect(other.load("http://a/1").got == "one network")
    #expect(other.load() == ("one disk", ["http://a/"]))
  }

  @Test("a redirect that leads elsewhere by now is followed")
  func moved() {
    let world = Self.world(Self.site)
    #expect(world.load().got == "one network")
    world.site.update { $0["http://a/"] = .to("http://a/2") }
    world.site.update { $0["http://a/2"] = .picture("two", "max-age=60") }
    #expect(world.load() == ("two network", ["http://a/", "http://a/2"]))
    #expect(world.load() == ("two disk", ["http://a/"]))
  }

  @Test(
    "what may not be used unasked, or not be kept, is asked for",
    arguments: ["no-cache", "max-age=0", "no-store"])
  func unusable(says: String) {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/1"] = .picture("one", says) }
    for _ in 1...2 { #expect(world.load() == ("one network", ["http://a/", "http://a/1"])) }
    #expect(world.kept == (says == "no-store" ? 0 : 1))
  }

  @Test("reload and offline mean it")
  func policies() {
    let world = Self.world(Self.site)
    #expect(world.load().got == "one network")
    world.site.update { $0["http://a/1"]?.body = "two" }
    #expect(
      world.load("http://a/", [:], .reload)
        == ("two network", ["http://a/ cache-control: no-cache", "http://a/1 cache-control: no-cache"]))
    #expect(world.load() == ("two disk", ["http://a/"]))
    #expect(world.load("http://a/", [:], .offline) == ("not-cached", []))
    #expect(world.load("http://a/1", [:], .offline) == ("two disk", []))
  }

  @Test("what was given to one identity is nobody else's")
  func identity() {
    let world = Self.world(Self.site)
    let secret: HeaderFields = ["Authorization": "s"]
    #expect(
      world.load("http://a/", secret)
        == ("one network", ["http://a/ authorization: s", "http://a/1 authorization: s"]))
    #expect(world.kept == 0)
    #expect(world.load("http://a/1").got == "one network")
    #expect(world.load("http://a/", secret).asked.count == 2)
  }

  @Test("credentials stay with their origin; where they alone were led stays off the disk")
  func foreign() {
    let world = Self.world(["http://a/": .to("http://b/"), "http://b/": .picture("one", "max-age=60")])
    #expect(
      world.load("http://a/", ["Authorization": "s", "Accept": "image/*"])
        == ("one network", ["http://a/ accept: image/* authorization: s", "http://b/ accept: image/*"]))
    #expect(world.kept == 0)
    #expect(world.load("http://a/", ["Accept": "image/*"]).asked.count == 2)
    #expect(world.load("http://b/", ["Accept": "image/*"]) == ("one disk", []))
    #expect(world.load("http://b/").got == "one network")
  }

  @Test("it answers stale when its origin cannot, for as long as it allows that, and whom it allows to")
  func staleOnError() {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/1"] = .picture("one", "max-age=1, stale-if-error=60") }
    #expect(world.load().got == "one network")
    world.pass(2)
    world.site.update { $0["http://a/1"] = Answer(status: 503) }
    #expect(world.load() == ("one disk, stale", ["http://a/", "http://a/1"]))
    #expect(world.bytes.events.counters.staleOnError == 1)
    #expect(world.kept == 1, "nothing under the first URL")
    world.site.update { $0["http://a/1"] = nil }
    #expect(world.load().got == "one disk, stale")
    #expect(world.load("http://a/", ["Cache-Control": "stale-if-error=0"]).got == "connect")
    world.pass(60)
    #expect(world.load().got == "connect")
  }

  @Test("who takes what is stale is told that it is, and nobody else gets it")
  func acceptedStale() {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/"] = .to("http://a/1", 302, "max-age=600") }
    world.site.update { $0["http://a/1"] = .picture("one", "max-age=1", tag: "\"1\"") }
    #expect(world.load("http://a/1").got == "one network")
    world.pass(2)
    #expect(
      world.load("http://a/", ["Cache-Control": "max-stale=60"])
        == ("one disk, stale", ["http://a/ cache-control: max-stale=60"]))
    #expect(world.kept == 2, "the redirect, too")
    #expect(world.load().asked == ["http://a/1 if-none-match: \"1\""])
  }

  @Test("what finds no room there is told")
  func loss() {
    let world = Self.world(Self.site)
    world.files.device = .init(capacity: 0)
    let loss = world.time.run { try? await world.bytes.load(Request("http://a/", options: 0)).storeFailure }
    #expect(loss != nil)
  }

  /// What the target says, its redirect, for how many seconds memory answers, and how old the target is on disk before.
  @Test(
    "memory that answers what is fresh answers no longer than the disk would",
    arguments: [
      ("max-age=10", "max-age=600", 10, 0), ("max-age=10", nil, 0, 0), ("max-age=600", "max-age=10", 10, 0),
      ("max-age=0, stale-while-revalidate=60", nil, 0, 0), ("max-age=60", "max-age=600, no-store", 0, 0),
      ("max-age=10, stale-while-revalidate=60", "max-age=30", 30, 0),
      ("max-age=10, stale-while-revalidate=60", "max-age=600", 70, 0),
      ("max-age=10, stale-while-revalidate=60", "max-age=600", 40, 30),
    ] as [(String, String?, Int, Int)])
  func memory(says: String, redirect: String?, seconds: Int, age: Int) {
    let world = Self.world([
      "http://a/": .to("http://a/1", 302, redirect), "http://a/1": .picture("1", says),
    ])
    #expect(world.load("http://a/1").got == "1 network")
    world.pass(age)
    // Nothing else comes in its place.
    let loader = ResourceLoader(
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000), reuse: .untilStale)
    let url = age > 0 ? "http://a/1" : "http://a/"
    let answers = world.time.run { () -> [Bool] in
      _ = try? await loader.load(Request(url, options: 1))
      world.site.value = [:]
      var answers: [Bool] = []
      for second in [max(0, seconds - 1), seconds] {
        try? await world.bytes.timeline.sleep(for: .seconds(age + second) - world.bytes.timeline.now)
        answers.append((try? Request(url, options: 1)).flatMap { loader.cached($0) } != nil)
      }
      return answers
    }
    #expect(answers == [seconds > 0, false])
  }

  @Test("what was asked about the one is not asked about the other")
  func conditions() {
    let world = Self.world(["http://a/": .picture("old", "max-age=1", tag: "\"0\"")])
    #expect(world.load().got == "old network")
    world.pass(2)
    world.site.value = Self.site
    #expect(world.load() == ("one network", ["http://a/ if-none-match: \"0\"", "http://a/1"]))
    #expect(world.load() == ("one disk", ["http://a/"]))
  }

  @Test("what is gone is gone from disk, and only that", arguments: [404, 410])
  func gone(status: Int) {
    let world = Self.world(Self.site)
    #expect(world.load().got == "one network")
    world.pass(61)
    world.site.update { $0["http://a/1"] = Answer(status: status) }
    #expect(world.load().got == "\(status)")
    #expect(world.load("http://a/1", ["Cache-Control": "max-stale"], .offline).got == "not-cached")
  }

  @Test("a redirect that says how long it holds is kept as long, counted from when it was asked for")
  func held() {
    for delay in [0, 5] {
      let world = Self.world(Self.site)
      world.site.update { $0["http://a/"] = .to("http://a/1", 302, "max-age=60") }
      world.site.update { $0["http://a/"]?.delay = .seconds(delay) }
      world.site.update { $0["http://a/1"] = .picture("one", "max-age=600") }
      #expect(world.load().got == "one network")
      world.pass(59 - delay)
      #expect(world.load() == ("one disk", []))
      world.pass(2)
      #expect(world.load("http://a/", [:], .offline) == ("not-cached", []))
      #expect(world.load("http://a/", ["Cache-Control": "max-stale"], .offline) == ("one disk, stale", []))
      #expect(world.load() == ("one disk", ["http://a/"]))
    }
  }

  @Test(
    "one that is permanent holds for a day, unless it says otherwise",
    arguments: [
      (301, nil, 1), (308, nil, 1), (302, nil, 2), (307, nil, 2), (301, "no-store", 2), (308, "no-cache", 2),
      (301, "max-age=0", 2),
    ] as [(Int, String?, Int)])
  func permanent(status: Int, says: String?, asked: Int) {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/"] = .to("http://a/1", status, says) }
    world.site.update { $0["http://a/1"] = .picture("one", "max-age=1000000") }
    #expect(world.load().got == "one network")
    world.pass(86_300)
    #expect(world.load().asked.count + 1 == asked)
    world.pass(200)
    #expect(world.load().asked == ["http://a/"])
  }

  @Test("what is replaced there is replaced for all whom redirects lead there, and gone for all")
  func one() {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/"] = .to("http://a/1", 301) }
    #expect(world.load().got == "one network")
    world.site.update { $0["http://a/1"] = .picture("two", "max-age=60") }
    #expect(world.load("http://a/1", [:], .reload).got == "two network")
    #expect(world.load() == ("two disk", []))
    world.site.update { $0["http://a/1"] = Answer(status: 410) }
    #expect(world.load("http://a/1", [:], .reload).got == "410")
    #expect(world.load("http://a/", ["Cache-Control": "max-stale"], .offline).got == "not-cached")
  }
}
