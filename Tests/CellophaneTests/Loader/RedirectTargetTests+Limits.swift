@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension RedirectTargetTests {
  @Test("redirects in a circle end, on disk as well")
  func circle() {
    let world = Self.world([
      "http://a/": .to("http://a/1", 301), "http://a/1": .to("http://a/", 302, "max-age=600"),
    ])
    #expect(world.load().got == "redirects")
    #expect(world.load("http://a/1", [:], .offline) == ("not-cached", []))
    world.site.update { $0["http://a/1"] = .picture("one", "max-age=60") }
    #expect(world.load().got == "one network", "who leads back is asked")
  }

  @Test("what moved on is found, though the redirect was to hold for a day", arguments: [403, 404, 410])
  func movedOn(status: Int) {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/"] = .to("http://a/1", 301) }
    #expect(world.load().got == "one network")
    world.pass(61)
    world.site.update { $0["http://a/1"] = Answer(status: status) }
    world.site.update { $0["http://a/"] = .to("http://a/2", 301) }
    world.site.update { $0["http://a/2"] = .picture("two", "max-age=60") }
    #expect(world.load() == ("two network", ["http://a/1 if-none-match: \"1\"", "http://a/", "http://a/2"]))
    #expect(world.load() == ("two disk", []))
  }

  @Test("a load asks again twice, wherever redirects lead it")
  func retriesInAll() {
    let world = RedirectWorld(retries: 2)
    world.site.value = ["http://a/": .to("http://b/", 301), "http://b/": .picture("one", "max-age=60")]
    #expect(world.load().got == "one network")
    world.pass(61)
    for url in ["http://a/", "http://b/"] { world.site.update { $0[url] = Answer(status: 500) } }
    #expect(world.load() == ("500", ["http://b/", "http://b/", "http://b/", "http://a/"]))
  }

  @Test("a redirect on disk that leads to itself by now is gone")
  func leadsToItself() {
    let world = Self.world([
      "http://a/": .to("http://a/1", 301), "http://a/1": .to("http://a/2", 301),
      "http://a/2": .picture("one", "max-age=60"),
    ])
    #expect(world.load().got == "one network")
    world.pass(61)
    world.site.update { $0["http://a/2"] = Answer(status: 404) }
    world.site.update { $0["http://a/1"] = .to("http://a/1") }
    world.site.update { $0["http://a/"] = .to("http://a/3", 301) }
    world.site.update { $0["http://a/3"] = .picture("three", "max-age=60") }
    let (got, asked) = world.load()
    #expect(got == "three network" && asked.count { $0 == "http://a/2" } == 1 && asked.count <= 41)
    #expect(world.load() == ("three disk", []))
  }

  @Test("redirects on disk are not asked about at an origin that is left alone, nor where a failure lasts")
  func notAskedAgain() {
    let site: [String: Answer] = [
      "http://a/": .to("http://a/1", 301), "http://a/1": .to("http://a/2", 301),
      "http://a/2": .picture("one", "max-age=60"),
    ]
    let world = RedirectWorld(retries: 2, after: .seconds(1))
    world.site.value = site
    #expect(world.load().got == "one network")
    world.pass(61)
    for url in site.keys { world.site.update { $0[url] = Answer(status: 429) } }
    #expect(world.load() == ("429", Array(repeating: "http://a/2", count: 3)))

    let lasting = Self.world(site)
    #expect(lasting.load().got == "one network")
    lasting.pass(61)
    lasting.site.update { $0["http://a/2"] = Answer(status: 404, headers: ["Cache-Control": "max-age=60"]) }
    #expect(lasting.load() == ("404", ["http://a/2", "http://a/1", "http://a/"]))
    #expect(lasting.load() == ("404", []))
  }

  @Test("a load follows forty redirects at most, those that came to nothing included")
  func redirectsInAll() {
    let world = Self.world([:])
    for number in 0..<60 {
      world.site.update { $0["http://a/chain\(number)"] = .to("http://a/chain\(number + 1)") }
      world.site.update { $0["http://a/\(number)"] = .to("http://a/chain0", 301) }
    }
    for number in 0..<30 { #expect(world.load("http://a/\(number)").got == "redirects") }
    for number in 0..<30 {
      world.site.update { $0["http://a/\(number)"] = .to("http://a/\(number + 1)") }
    }
    let (got, asked) = world.load("http://a/0")
    #expect(got == "redirects" && asked.count <= 41)
  }

  @Test(
    "what is not there is asked for once, when the redirect to it still holds; and time goes on meanwhile")
  func stillThere() {
    let world = Self.world(Self.site)
    for number in 1...3 {
      world.site.update { $0["http://a/\(number)"] = .to("http://a/\(number + 1)", 301) }
    }
    world.site.update { $0["http://a/"] = .to("http://a/1", 301) }
    world.site.update { $0["http://a/4"] = .picture("one", "max-age=60") }
    #expect(world.load().got == "one network")
    world.pass(61)
    world.site.update { $0["http://a/4"] = Answer(status: 404) }
    // The last redirect first: any of them may have moved.
    let redirects = ["http://a/3", "http://a/2", "http://a/1", "http://a/"]
    #expect(world.load() == ("404", ["http://a/4"] + redirects))
    world.site.update { $0["http://a/3"] = .to("http://a/6", 301) }
    world.site.update { $0["http://a/6"] = .picture("six", "no-store") }
    #expect(
      world.load() == ("six network", ["http://a/4", "http://a/3", "http://a/6"]), "the last has moved")
    #expect(world.load() == ("six network", ["http://a/6"]))
    world.site.update { $0["http://a/6"] = Answer(status: 404) }
    for url in ["http://a/", "http://a/6"] { world.site.update { $0[url]?.delay = .seconds(40) } }
    world.site.update { $0["http://a/"]?.headers["location"] = "http://a/5" }
    world.site.update { $0["http://a/5"] = .picture("five", "max-age=60") }
    #expect(world.load() == ("timeout", ["http://a/6"] + redirects), "of 60 s none are left for the next")
  }

  @Test(
    "what is the same but for its signature is one, and no signature goes to disk", arguments: [301, 302])
  func signatures(status: Int) {
    let world = RedirectWorld(rules: [QueryRule(ignoring: ["sig"])])
    world.site.value = [
      "http://a/p?sig=1": .to("http://a/p?sig=2", status),
      "http://a/p?sig=3": .to("http://a/p?sig=2", status),
      "http://a/p?sig=2": .picture("one", "max-age=60", tag: "\"1\""),
      "http://a/q": .to("http://a/p?sig=2", status),
    ]
    #expect(world.load("http://a/p?sig=1") == ("one network", ["http://a/p?sig=1", "http://a/p?sig=2"]))
    #expect(world.load("http://a/p?sig=3") == ("one disk", []))
    world.pass(61)
    world.site.update { $0["http://a/p?sig=2"]?.status = 304 }
    #expect(world.load("http://a/p?sig=3").got == "one disk")
    #expect(world.load("http://a/q").got == "one disk")
    let texts = world.files.files.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(!texts.isEmpty && texts.allSatisfy { !$0.contains("sig=") })
  }
}
