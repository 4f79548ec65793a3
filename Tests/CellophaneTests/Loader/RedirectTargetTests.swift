@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

/// A byte loader over a disk in memory and origins that answer by URL, in virtual time; redirects are the loader's.
private struct RedirectWorld {
  /// What is answered: a status, header fields, and where it leads.
  struct Answer: Sendable {
    var status = 200
    var headers: HeaderFields = [:]
    var body = ""
    var delay = Duration.zero
    var breaksAfter: Int?

    static func to(_ target: String, _ status: Int = 302, _ says: String? = nil) -> Answer {
      var headers: HeaderFields = ["Location": target]
      if let says { headers.append("Cache-Control", says) }
      return Answer(status: status, headers: headers)
    }

    static func picture(_ body: String, _ says: String, tag: String? = nil) -> Answer {
      var headers: HeaderFields = ["Cache-Control": says]
      if let tag { headers.append("ETag", tag) }
      return Answer(headers: headers, body: body)
    }
  }

  let time = VirtualTime()
  let files = MemoryFileSystem()
  /// What is at each URL.
  let site = Shared<[String: Answer]>([:])
  /// What was asked for since the last look: URLs and fields.
  let seen = Shared<[String]>([])
  /// Where every other answer is a failure.
  let failsEverySecond = Shared<String?>(nil)
  let bytes: ByteLoader

  init(retries: Int = 0, after delay: Duration = .zero, rules: [QueryRule] = []) {
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { [site, seen, failsEverySecond] request in
      let fields = request.headers.fields.map { " \($0.name): \($0.value)" }.joined()
      seen.update { $0.append(request.url + fields) }
      if let place = failsEverySecond.value, request.url.hasPrefix(place) {
        let isFailure = seen.value.count { $0.hasPrefix(place) } % 2 == 1
        return .init(
          after: .milliseconds(50),
          .success(TransportResponse(status: isFailure ? 503 : 200, body: [1], url: request.url)))
      }
      guard var answer = site.value[request.url] else {
        return .init(.failure(LoadError(.connect, "nobody is there", isRetryable: true)))
      }
      if case .from(let first, _)? = request.headers["range"].flatMap(ByteRange.init) {
        answer.status = 206
        answer.headers["content-range"] = "bytes \(first)-\(answer.body.count - 1)/\(answer.body.count)"
        answer.body = String(answer.body.dropFirst(first))
        answer.headers["content-length"] = "\(answer.body.count)"
      }
      var response = TransportResponse(
        status: answer.status, headers: answer.headers, body: Array(answer.body.utf8), url: request.url)
      if answer.status / 100 == 3, let target = answer.headers["location"], !request.followsRedirects {
        response.target = target
      }
      if let count = answer.breaksAfter {
        return .init(
          after: answer.delay, pieces: (0..<count).map { _ in .init(1, pause: .milliseconds(1)) },
          .success(response), breaking: LoadError(.connectionLost, "broke", isRetryable: true))
      }
      return .init(after: answer.delay, .success(response))
    }
    var configuration = ByteLoader.Configuration()
    configuration.retry = HTTPWorld.once
    (configuration.retry.retries, configuration.retry.firstDelay) = (retries, delay)
    configuration.queryRules = rules
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      configuration: configuration, timeline: timeline)
  }

  /// What loads one after the other come to, and what they ask for.
  func load(
    _ url: String = "http://a/", _ headers: HeaderFields = [:], _ policy: CachePolicy = .standard
  ) -> (got: String, asked: [String]) {
    seen.value = []
    let got = time.run { () -> String in
      do throws(LoadError) {
        let loaded = try await bytes.load(Request(url, headers: headers, options: 0, cachePolicy: policy))
        return "\(String(decoding: loaded.bytes, as: UTF8.self)) \(loaded.source.rawValue)"
          + (loaded.isStale ? ", stale" : "")
      } catch {
        return error.status.map { "\($0)" } ?? error.kind.rawValue
      }
    }
    return (got ?? "never", seen.value)
  }

  /// How many responses are on disk.
  var kept: Int { files.files.keys.count { $0.hasSuffix(".cellophane-3") } }

  func pass(_ seconds: Int) { _ = time.run { try? await bytes.timeline.sleep(for: .seconds(seconds)) } }
}

@Suite("What redirects lead to is a resource of its own, in virtual time")
struct RedirectTargetTests {
  private typealias Answer = RedirectWorld.Answer

  private static func world(_ site: [String: Answer]) -> RedirectWorld {
    let world = RedirectWorld()
    world.site.value = site
    return world
  }

  private static let site: [String: Answer] = [
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
    let loss = world.time.run { try? await world.bytes.load(Request("http://a/", options: 0)).diskLoss }
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
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000), reuse: .whileFresh)
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
    for url in site.keys { world.site.update { $0[url] = Answer(status: 503) } }
    #expect(world.load() == ("503", Array(repeating: "http://a/2", count: 3)))

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

  @Test("an error elsewhere is not covered by what a redirect allows, and is tried no more often for it")
  func coveredOnce() {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/"] = .to("http://a/1", 302, "max-age=1, stale-if-error=600") }
    world.site.update { $0["http://a/1"] = .picture("one", "max-age=1") }
    #expect(world.load().got == "one network")
    world.pass(3)
    world.site.update { $0["http://a/1"] = Answer(status: 503) }
    #expect(world.load() == ("503", ["http://a/", "http://a/1"]))
    world.pass(3)
    world.site.update { $0["http://a/1"] = .picture("two", "max-age=60") }
    world.site.update { $0["http://a/"] = Answer(status: 503) }
    #expect(world.load() == ("two network, stale", ["http://a/", "http://a/1"]))
  }

  @Test("a line elsewhere is no fault of the load")
  func queue() {
    let world = RedirectWorld()
    let urls = (0..<40).map { "http://a/\($0)" }
    for (number, url) in urls.enumerated() {
      world.site.update { $0[url] = .to("http://b/\(number)") }
      world.site.update { $0["http://b/\(number)"] = .picture("b", "max-age=60") }
      world.site.update { $0["http://b/\(number)"]?.delay = .seconds(20) }
    }
    let got = Shared<[Bool]>([])
    _ = world.time.run {
      let loads = urls.map { url in
        world.bytes.timeline.spawn {
          let isHere = (try? await world.bytes.load(Request(url, options: 0))) != nil
          got.update { $0.append(isHere) }
        }
      }
      for load in loads { await load.value }
    }
    #expect(got.value.count == 40 && got.value.allSatisfy(\.self))
    #expect(world.bytes.timeline.now > .seconds(100))
  }

  @Test(
    "a target that is no URL is the origin's mistake", arguments: ["http://", "http://a:b/", "x:"])
  func unusableTarget(target: String) {
    let world = Self.world(["http://a/": .to(target)])
    #expect(world.load().got == "malformed-response")
  }

  @Test("what breaks there goes on there")
  func resumed() {
    let world = Self.world(Self.site)
    world.site.update {
      $0["http://a/1"] = Answer(
        headers: ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Length": "6"], body: "abcdef",
        breaksAfter: 4)
    }
    #expect(world.load().got == "connection-lost")
    #expect(world.files.prefixes.count == 1)
    world.site.update { $0["http://a/1"]?.breaksAfter = nil }
    let rest = "http://a/1 range: bytes=4- if-range: \"1\" accept-encoding: identity"
    #expect(world.load() == ("abcdef network", ["http://a/", rest]))
    #expect(world.files.prefixes.isEmpty)
    #expect(world.bytes.events.counters.resumedBytes == 4)
  }

  @Test("a failure there that lasts is known there, by whatever way, and says when to ask again")
  func knownFailure() {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/2"] = .to("http://a/1") }
    world.site.update { $0["http://a/1"] = .picture("", "max-age=60") }
    world.site.update { $0["http://a/1"]?.status = 404 }
    #expect(world.load() == ("404", ["http://a/", "http://a/1"]))
    #expect(world.load() == ("404", ["http://a/"]))
    #expect(world.load("http://a/2") == ("404", ["http://a/2"]))
    #expect(world.load("http://a/1") == ("404", []))
    let errors = ["http://a/", "http://a/2", "http://a/1"].map { url in
      world.time.run { () -> LoadError? in
        do throws(LoadError) {
          _ = try await world.bytes.load(Request(url, options: 0))
          return nil
        } catch { return error }
      } ?? nil
    }
    #expect(errors.allSatisfy { $0?.retryAfter == .seconds(60) })
    #expect(errors.map { $0?.message.contains("http://a/1") } == [false, false, true])
    #expect(errors[1]?.message.hasPrefix("http://a/2 redirects to http://a, which answered 404") == true)
    world.pass(61)
    #expect(world.load().asked == ["http://a/", "http://a/1"])
  }

  @Test("an origin that redirects is asked once by each load, whatever becomes of the other")
  func storm() {
    let world = RedirectWorld(retries: 2)
    let urls = (0..<100).map { "http://a/\($0)" }
    for url in urls { world.site.update { $0[url] = .to("http://b/t\(url.suffix(2))", 302) } }
    world.failsEverySecond.value = "http://b/"
    world.seen.value = []
    _ = world.time.run {
      let loads = urls.map { url in
        world.bytes.timeline.spawn { _ = try? await world.bytes.load(Request(url, options: 0)) }
      }
      for load in loads { await load.value }
    }
    let asked = Dictionary(grouping: world.seen.value) { $0 }.mapValues(\.count)
    #expect(urls.allSatisfy { asked[$0] == 1 })
    #expect(asked.values.allSatisfy { $0 <= 3 })
  }

  @Test("each exchange begins and ends once, wherever it is")
  func balance() {
    let world = Self.world(Self.site)
    _ = world.load()
    _ = world.load()
    world.pass(61)
    world.site.update { $0["http://a/1"] = Answer(status: 304, headers: ["ETag": "\"2\""]) }
    _ = world.load()
    world.site.update { $0["http://a/1"] = nil }
    _ = world.load()
    let counters = world.bytes.events.counters
    #expect(counters.transfers == counters.completed + counters.failed + counters.aborted)
    #expect(counters.transfers > 6 && counters.failed > 1)
  }

  @Test("the redirects are bounded, wherever they are counted")
  func bounded() async throws {
    let origin = try RawOrigin { _ in
      [.read, .send("HTTP/1.1 302 On\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")]
    }
    defer { origin.stop() }
    let transport = CurlTransport()
    let loader = ByteLoader(
      transport: transport, disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    let error = await #expect(throws: LoadError.self) {
      try await loader.load(Request(origin.url("/"), options: 0))
    }
    await transport.close()
    #expect(error?.kind == .redirects && error?.message.contains("20") == true)
  }

  @Test("of two answers the one asked for last is kept, whichever comes last")
  func order() {
    let world = Self.world(Self.site)
    world.site.update { $0["http://a/1"]?.delay = .seconds(2) }
    let kept = world.time.run { () -> String in
      let slow = world.bytes.timeline.spawn {
        _ = try? await world.bytes.load(Request("http://a/", options: 0))
      }
      try? await world.bytes.timeline.sleep(for: .seconds(1))
      world.site.update { $0["http://a/1"] = .picture("two", "max-age=60") }
      _ = try? await world.bytes.load(Request("http://a/1", options: 0))
      await slow.value
      let stored = try? await world.bytes.load(Request("http://a/1", options: 0, cachePolicy: .offline))
      return String(decoding: stored?.bytes ?? [], as: UTF8.self)
    }
    #expect(kept == "two")
  }

  @Test("damage there is not answered from disk, and heals by itself")
  func damaged() {
    let world = Self.world(Self.site)
    let loads = world.time.run { () -> [Source?] in
      var loads: [Source?] = []
      for body in ["damaged", "1", "1"] {
        world.site.update { $0["http://a/1"]?.body = body }
        let loader = ResourceLoader(
          bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000))
        loads.append(try? await loader.load(Request("http://a/", options: 1)).source)
      }
      return loads
    }
    #expect(loads == [nil, .network, .disk])
  }
}
