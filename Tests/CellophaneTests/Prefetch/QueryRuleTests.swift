@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Query rules")
struct QueryRuleTests {
  private static let rules = [
    QueryRule(ignoring: ["sig", "X-Expires"]), QueryRule(ignoring: ["token"], host: "CDN.example"),
    QueryRule(ignoring: ["token"], host: "Bücher.example"),
  ]

  static let names: [(String, String)] = [
    ("http://h/a", "http://h/a"),
    ("http://h/a?w=1", "http://h/a?w=1"),
    ("http://h/a?sig=1", "http://h/a"),
    ("http://h/a?sig", "http://h/a"),
    ("http://h/a?sig=", "http://h/a"),
    ("http://h/a?sig=1=2&w=1", "http://h/a?w=1"),
    ("http://h/a?w=1&sig=1&h=2&X-Expires=9", "http://h/a?w=1&h=2"),
    ("http://h/a?sig=1&sig=2", "http://h/a"),
    ("http://h/a?h=2&w=1&sig=1", "http://h/a?h=2&w=1"),
    ("http://h/a?", "http://h/a?"),
    ("http://h/a?&sig=1&", "http://h/a?&"),
    ("http://h/a?SIG=1&sigs=2&xsig=3&a=sig", "http://h/a?SIG=1&sigs=2&xsig=3&a=sig"),
    ("http://h/sig=1?b?sig=1", "http://h/sig=1?b?sig=1"),
    ("http://h/a?token=1", "http://h/a?token=1"),
    ("http://cdn.example/a?token=1&sig=2&w=3", "http://cdn.example/a?w=3"),
    ("https://CDN.example:8443/a?token=1", "https://cdn.example:8443/a"),
    ("http://bücher.example/a?token=1", "http://xn--bcher-kva.example/a"),
    ("http://www.cdn.example/a?token=1", "http://www.cdn.example/a?token=1"),
  ]

  @Test("the key omits ignored parameters; the request URL keeps them", arguments: names)
  func name(url: String, expected: String) throws {
    let identity = try #require(URLIdentity(Self.rules))
    let request = try NumberRequest(url, options: 1)
    let named = request.named(by: identity)
    #expect(named.key.response.url == expected && named.url == request.url)
    #expect(named.named(by: identity).url == request.url)
    #expect(named.decoded(with: "raw").url == request.url)
  }

  @Test("rules that ignore no parameter make no identity")
  func none() {
    #expect(URLIdentity([]) == nil)
    #expect(URLIdentity([QueryRule(ignoring: []), QueryRule(ignoring: [], host: "h")]) == nil)
  }

  /// Creates a loader that ignores the parameter `sig`. The origin answers 403 to expired signatures.
  private func world() -> NumberWorld {
    let world = LoaderWorld { $0.queryRules = [QueryRule(ignoring: ["sig"])] }
    let fresh: HeaderFields = ["cache-control": "max-age=600"]
    world.origin.script("*", .ok("7", fresh).after(.seconds(1)))
    world.origin.script("http://origin/a?sig=old", .status(403, fresh).after(.seconds(1)))
    return NumberWorld(world)
  }

  private func signed(_ signature: String) throws -> NumberRequest {
    try NumberRequest("http://origin/a?sig=\(signature)", options: 1)
  }

  @Test("different signatures share one transfer, value and file, and none is stored or reported")
  func shared() throws {
    let world = world()
    let requests = try ["geheim1", "geheim2", "geheim3", "geheim4"].map(signed)
    let reported = Shared("")
    world.timeline.spawn {
      for await event in world.bytes.events.events() {
        if case .transferStarted(let key) = event.kind { reported.update { $0 += key.url } }
      }
    }
    let sources = world.time.run {
      async let one = world.loader.load(requests[0])
      async let two = world.loader.load(requests[1])
      var sources = [try? await one.source, try? await two.source]
      #expect(world.loader.cached(requests[2]) == 7)
      sources.append(try? await world.loader.load(requests[2]).source)
      world.loader.memory.trim(to: 0)
      sources.append(try? await world.loader.load(requests[3]).source)
      sources.append(try? await world.bytes.load(requests[0]).source)
      return sources
    }
    #expect(sources == [.network, .network, .memory, .disk, .disk])
    #expect(world.origin.order.count == 1 && world.origin.order[0].hasPrefix("http://origin/a?sig=geheim"))
    for (name, bytes) in world.files.files {
      #expect(!name.contains("geheim") && !String(decoding: bytes, as: UTF8.self).contains("geheim"))
    }
    #expect(reported.value.contains("http://origin/a") && !reported.value.contains("geheim"))
  }

  @Test("a known failure applies to one signature and does not contain it")
  func refused() throws {
    let world = world()
    let requests = try ["old", "old", "new"].map(signed)
    let got = world.time.run {
      var got: [String] = []
      for request in requests {
        do throws(LoadError) { got.append("\(try await world.loader.load(request).value)") } catch {
          got.append(error.message)
        }
      }
      return got
    }
    #expect(got?.first == "http://origin/a answered 403" && got?.last == "7")
    #expect(got?[1].contains("sig") == false)
    #expect(world.origin.order == ["http://origin/a?sig=old", "http://origin/a?sig=new"])
  }

  @Test("a slot and a prefetcher treat requests that differ in the signature as one")
  func slots() throws {
    let world = world()
    let requests = try ["1", "2", "3"].map(signed)
    let screen = Screen(world)
    world.time.run {
      await screen.show(requests[0])
      try? await world.timeline.sleep(for: .milliseconds(500))
      await screen.show(requests[1])
      try? await world.timeline.sleep(for: .seconds(1))
      await screen.show(requests[2])
      await PrefetchedWindow().show(requests, on: world)
      await screen.release()
    }
    #expect(screen.states == ["loading", "7 from network"])
    #expect(world.origin.order == ["http://origin/a?sig=1"])
  }
}

/// An actor that owns a prefetcher.
private actor PrefetchedWindow {
  func show(_ requests: [NumberRequest], on world: NumberWorld) {
    let prefetcher = Prefetcher(world.loader)
    prefetcher.show(requests, visible: [])
    #expect(prefetcher.running == 0)
  }
}
