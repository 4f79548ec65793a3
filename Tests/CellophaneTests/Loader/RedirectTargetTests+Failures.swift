@testable internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension RedirectTargetTests {
  @Test("stale-if-error of a redirect covers failures of the redirect, not of its target")
  func staleRedirect() {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/", .to("http://a/1", 302, "max-age=1, stale-if-error=600"))
    world.origin.script("http://a/1", .image("one", "max-age=1"))
    #expect(world.load().result == "one network")
    world.advance(3)
    world.origin.script("http://a/1", .status(503))
    #expect(world.load() == ("503", ["http://a/", "http://a/1"]))
    world.advance(3)
    world.origin.script("http://a/1", .image("two", "max-age=60"))
    world.origin.script("http://a/", .status(503))
    #expect(world.load() == ("two network, stale", ["http://a/", "http://a/1"]))
  }

  @Test("the queue of the target's origin does not count towards the load's time")
  func queue() {
    let world = RedirectWorld()
    let urls = (0..<40).map { "http://a/\($0)" }
    for (number, url) in urls.enumerated() {
      world.origin.script(url, .to("http://b/\(number)"))
      world.origin.script("http://b/\(number)", .image("b", "max-age=60").after(.seconds(20)))
    }
    let results = Shared<[Bool]>([])
    _ = world.time.run {
      let loads = urls.map { url in
        world.bytes.timeline.spawn {
          let isLoaded = (try? await world.bytes.load(Request(url, options: 0))) != nil
          results.update { $0.append(isLoaded) }
        }
      }
      for load in loads { await load.value }
    }
    #expect(results.value.count == 40 && results.value.allSatisfy(\.self))
    #expect(world.bytes.timeline.now > .seconds(100))
  }

  @Test(
    "a redirect to an invalid URL is a malformed response", arguments: ["http://", "http://a:b/", "x:"])
  func invalidTarget(target: String) {
    let world = RedirectWorld(["http://a/": .to(target)])
    #expect(world.load().result == "malformed-response")
  }

  @Test("a transfer of the target that breaks is resumed at the target")
  func resumed() {
    let world = RedirectWorld(Self.site)
    let image = ScriptedTransport.Answer.ok(
      "abcdef", ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Length": "6"])
    world.origin.script("http://a/1", image.broken(after: 4), image.obeyingConditions())
    #expect(world.load().result == "connection-lost")
    #expect(world.files.prefixes.count == 1)
    let rest = "http://a/1 range: bytes=4- if-range: \"1\" accept-encoding: identity"
    #expect(world.load() == ("abcdef network", ["http://a/", rest]))
    #expect(world.files.prefixes.isEmpty)
    #expect(world.bytes.events.counters.resumedBytes == 4)
  }

  @Test("a lasting failure of the target is known for all redirects to it, with its remaining time")
  func knownFailure() {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/2", .to("http://a/1"))
    world.origin.script("http://a/1", .status(404, ["Cache-Control": "max-age=60"]))
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
    world.advance(61)
    #expect(world.load().requests == ["http://a/", "http://a/1"])
  }

  @Test("each load requests a redirect once, however often it retries the target")
  func storm() {
    let world = RedirectWorld(retries: 2)
    let urls = (0..<100).map { "http://a/\($0)" }
    for url in urls { world.origin.script(url, .to("http://b/t\(url.suffix(2))", 302)) }
    let count = Shared(0)
    // Every other response of the targets is a failure.
    world.origin.script("http://b/*") { _ in
      count.update { $0 += 1 }
      return .status(count.value % 2 == 1 ? 503 : 200, body: [1]).after(.milliseconds(50))
    }
    _ = world.time.run {
      let loads = urls.map { url in
        world.bytes.timeline.spawn { _ = try? await world.bytes.load(Request(url, options: 0)) }
      }
      for load in loads { await load.value }
    }
    let requests = Dictionary(grouping: world.origin.order) { $0 }.mapValues(\.count)
    #expect(urls.allSatisfy { requests[$0] == 1 })
    #expect(requests.values.allSatisfy { $0 <= 3 })
  }

  @Test("each exchange begins and ends once, for redirects and targets")
  func balance() {
    let world = RedirectWorld(Self.site)
    _ = world.load()
    _ = world.load()
    world.advance(61)
    world.origin.script("http://a/1", .status(304, ["ETag": "\"2\""]))
    _ = world.load()
    world.origin.script("http://a/1", .failure(.connect))
    _ = world.load()
    let counters = world.bytes.events.counters
    #expect(counters.transfers == counters.completed + counters.failed + counters.aborted)
    #expect(counters.transfers > 6 && counters.failed > 1)
  }

  @Test("a load over a real connection follows at most twenty redirects in a row")
  func limit() async throws {
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

  @Test("of two responses of the target, the one requested last is stored")
  func order() {
    let world = RedirectWorld(Self.site)
    world.origin.script("http://a/1", .image("one", "max-age=60", tag: "\"1\"").after(.seconds(2)))
    let stored = world.time.run { () -> String in
      let slow = world.bytes.timeline.spawn {
        _ = try? await world.bytes.load(Request("http://a/", options: 0))
      }
      try? await world.bytes.timeline.sleep(for: .seconds(1))
      world.origin.script("http://a/1", .image("two", "max-age=60"))
      _ = try? await world.bytes.load(Request("http://a/1", options: 0))
      await slow.value
      let response = try? await world.bytes.load(Request("http://a/1", options: 0, cachePolicy: .offline))
      return String(decoding: response?.bytes ?? [], as: UTF8.self)
    }
    #expect(stored == "two")
  }

  @Test("a damaged body of the target does not stay on disk, and the next load succeeds")
  func damaged() {
    let world = RedirectWorld(Self.site)
    let loads = world.time.run { () -> [Source?] in
      var loads: [Source?] = []
      for body in ["damaged", "1", "1"] {
        world.origin.script("http://a/1", .image(body, "max-age=60", tag: "\"1\""))
        let loader = ResourceLoader(
          bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000))
        loads.append(try? await loader.load(Request("http://a/", options: 1)).source)
      }
      return loads
    }
    #expect(loads == [nil, .network, .disk])
  }
}
