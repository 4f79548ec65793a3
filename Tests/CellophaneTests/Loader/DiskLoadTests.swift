@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A loader of numbers over a disk cache in memory, in virtual time.
struct DiskWorld: TestWorld {
  let base = LoaderWorld()

  init(
    headers: HeaderFields = ["Cache-Control": "max-age=60"], redirects: [TransportResponse.Redirect] = [],
    delay: @escaping @Sendable () -> Duration = { .milliseconds(10) },
    body: @escaping @Sendable (TransportRequest) -> String = { "\($0.number)" }
  ) {
    origin.script("*") { request in
      let body = Array(body(request).utf8)
      return .init(
        after: delay(),
        .success(
          TransportResponse(status: 200, headers: headers, body: body, url: request.url, redirects: redirects)
        ))
    }
  }

  /// A new loader, as after a restart, with an empty memory cache and the same disk cache.
  func loader() -> ResourceLoader<NumberDecoder> {
    ResourceLoader(bytes: bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000))
  }
}

@Suite("Loads through the disk cache, in virtual time")
struct DiskLoadTests {
  /// Returns the sources of one load after the other; nil for a failed one.
  func sources(_ world: DiskWorld, _ requests: [(NumberRequest, pause: Duration)]) -> [Source?]? {
    world.time.run {
      var sources: [Source?] = []
      for (request, pause) in requests {
        sources.append(try? await world.loader().load(request).source)
        try? await world.bytes.timeline.sleep(for: pause)
      }
      return sources
    }
  }

  @Test("the disk answers with fresh bytes, also offline; stale bytes come from the origin")
  func freshness() {
    let world = DiskWorld()
    let sources = sources(
      world,
      [
        (NumberRequest(1), .seconds(59)), (NumberRequest(1), .seconds(2)),
        (NumberRequest(1), .zero), (NumberRequest(1, policy: .offline), .seconds(1_000)),
        (NumberRequest(1, policy: .offline), .zero), (NumberRequest(1, policy: .reload), .zero),
        (NumberRequest(2, policy: .offline), .zero),
      ])
    #expect(sources == [.network, .disk, .network, .disk, nil, .network, nil])
    #expect(world.bytes.events.counters.diskHits == 2 && world.origin.counters.started == 3)
  }

  @Test("another size is decoded from the same bytes on disk")
  func otherSize() {
    let world = DiskWorld()
    #expect(
      sources(world, [(NumberRequest(1), .zero), (NumberRequest(1, times: 2), .zero)]) == [.network, .disk])
  }

  @Test("a stored body above the size limit is requested again")
  func aboveTheLimit() {
    let world = DiskWorld(body: { _ in "123" })
    let limited = world.base.sibling { $0.limits.bodyBytes = 2 }.bytes
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
    let unlimited = world.base.sibling().bytes
    let sources = world.time.run {
      [try? await unlimited.load(NumberRequest(1)).source, try? await limited.load(NumberRequest(1)).source]
    }
    // The scripted transport ignores the limit.
    #expect(sources == [.disk, .network])
  }

  @Test("a response with no-store leaves no file")
  func noStore() {
    let world = DiskWorld(headers: ["Cache-Control": "no-store, max-age=60"])
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .network])
    #expect(world.files.files.isEmpty)
  }

  @Test("a damaged body does not stay on disk, and the next load succeeds")
  func damaged() {
    let body = Shared("damaged")
    let world = DiskWorld(body: { _ in body.value })
    #expect(sources(world, [(NumberRequest(1), .zero)]) == [nil])
    #expect(world.files.files.keys.filter { !$0.contains("cellophane-") }.isEmpty)
    body.value = "1"
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
  }

  @Test("a damaged body on disk is requested again")
  func damagedOnDisk() {
    let body = Shared("7")
    let world = DiskWorld(body: { _ in body.value })
    let key = NumberRequest(1).key.response
    _ = world.time.run {
      await world.bytes.disk?.store(
        StoredResponse(
          status: 200, headers: ["Cache-Control": "max-age=60"], body: [0], storedAt: 1_800_000_000),
        for: key)
    }
    // Offline, the body cannot be replaced, so it stays.
    let offline = NumberRequest(1, policy: .offline)
    let before = world.files.files
    #expect(sources(world, [(offline, .zero)]) == [nil] && world.files.files == before)
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
    #expect(world.origin.counters.started == 1)
  }

  @Test(
    "a response is stored under the redirect's URL only if the redirect is fresh for as long",
    arguments: [
      (302, "no-store", false), (302, nil, false), (302, "max-age=60", true), (302, "max-age=59", false),
      (307, "no-cache, max-age=60", false), (301, nil, true), (308, nil, true), (301, "max-age=5", false),
    ] as [(Int, String?, Bool)])
  func redirects(status: Int, cacheControl: String?, isStored: Bool) {
    let hop = TransportResponse.Redirect(
      status: status, headers: cacheControl.map { ["Cache-Control": $0] } ?? [:])
    let world = DiskWorld(redirects: [hop])
    let sources = sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)])
    #expect(sources == [.network, isStored ? .disk : .network])
  }

  @Test("an older load that ends after a reload does not replace its value, in memory or on disk")
  func olderLoadEndsLast() {
    let requests = Shared(0)
    let world = DiskWorld(delay: { requests.value == 1 ? .milliseconds(50) : .milliseconds(5) }) { _ in
      requests.update { $0 += 1 }
      return "\(requests.value)"
    }
    let loader = world.loader()
    let values = world.time.run {
      world.bytes.timeline.spawn { _ = try? await loader.load(NumberRequest(1)) }
      try? await world.bytes.timeline.sleep(for: .milliseconds(10))
      let reloaded = try? await loader.load(NumberRequest(1, policy: .reload)).value
      try? await world.bytes.timeline.sleep(for: .seconds(1))
      let onDisk = try? await world.loader().load(NumberRequest(1, policy: .offline)).value
      return [reloaded, loader.cached(NumberRequest(1)), onDisk]
    }
    #expect(values == [2, 2, 2])
  }

  @Test("a failing disk does not fail a load, and each error is an event and counted")
  func failingDisk() {
    let world = DiskWorld()
    world.files.inject(.outage(.full))
    let events = Shared(0)
    world.bytes.timeline.spawn {
      for await event in world.bytes.events.events() {
        if case .diskFailed = event.kind { events.update { $0 += 1 } }
      }
    }
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .network])
    #expect(world.bytes.events.counters.diskErrors > 0)
    #expect(events.value == world.bytes.events.counters.diskErrors)
    world.files.inject(nil)
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
  }

  @Test(
    "only a response that should be stored and was not has a store failure",
    arguments: [("max-age=60", true), ("no-store", false)])
  func storeFailure(cacheControl: String, isStorable: Bool) {
    let world = DiskWorld(headers: ["Cache-Control": cacheControl])
    for isOut in [true, false] {
      world.files.inject(isOut ? .outage(.readOnly) : nil)
      let loaded = world.time.run { try? await world.bytes.load(NumberRequest(1)) } ?? nil
      #expect(loaded?.source == .network && (loaded?.storeFailure != nil) == (isStorable && isOut))
      #expect(world.bytes.events.counters.diskErrors > 0)
    }
  }

  @Test("the refresh of a value in memory uses a newer response that another process has stored")
  func storedByAnotherProcess() throws {
    let version = Shared(1)
    let world = DiskWorld(
      headers: ["Cache-Control": "max-age=10, stale-while-revalidate=50"],
      body: { _ in "\(version.value)" })
    let loader = world.loader()
    let other = world.base.sibling().bytes
    let values = world.time.run { () -> [Int?] in
      _ = try? await loader.load(NumberRequest(1))
      try? await world.bytes.timeline.sleep(for: .seconds(15))
      version.value = 2
      _ = try? await other.load(NumberRequest(1, policy: .reload))
      let stale = try? await loader.load(NumberRequest(1))
      return [stale?.value, await stale?.refresh?.value?.value]
    }
    #expect(values == [1, 2] && world.origin.counters.started == 2)
  }
}
