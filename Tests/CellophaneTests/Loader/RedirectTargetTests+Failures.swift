@testable internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension RedirectTargetTests {
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
