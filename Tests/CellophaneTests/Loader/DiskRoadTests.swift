@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A loader of numbers over a disk cache in memory, in virtual time.
struct DiskWorld: Sendable {
  let time = VirtualTime()
  let files = MemoryFileSystem()
  let transport: ScriptedTransport
  let bytes: ByteLoader

  init(
    headers: HeaderFields = ["Cache-Control": "max-age=60"], redirects: [TransportResponse.Redirect] = [],
    delay: @escaping @Sendable () -> Duration = { .milliseconds(10) },
    body: @escaping @Sendable (TransportRequest) -> String = { "\($0.number)" }
  ) {
    let timeline = time.timeline()
    transport = ScriptedTransport(timeline: timeline) { request in
      let body = Array(body(request).utf8)
      return .init(
        after: delay(),
        .success(
          TransportResponse(status: 200, headers: headers, body: body, url: request.url, redirects: redirects)
        ))
    }
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      timeline: timeline)
  }

  /// A new loader, as after a restart: nothing in memory, everything on disk.
  func loader() -> ResourceLoader<NumberDecoder> {
    ResourceLoader(bytes: bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 80_000))
  }
}

@Suite("The road over the disk cache, in virtual time")
struct DiskRoadTests {
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

  @Test("fresh bytes are answered from disk, stale ones fetched anew; offline takes fresh ones")
  func freshness() {
    let world = DiskWorld()
    let asked = sources(
      world,
      [
        (NumberRequest(1), .seconds(59)), (NumberRequest(1), .seconds(2)),
        (NumberRequest(1), .zero), (NumberRequest(1, policy: .offline), .seconds(1_000)),
        (NumberRequest(1, policy: .offline), .zero), (NumberRequest(1, policy: .reload), .zero),
        (NumberRequest(2, policy: .offline), .zero),
      ])
    #expect(asked == [.network, .disk, .network, .disk, nil, .network, nil])
    #expect(world.bytes.events.counters.diskHits == 2 && world.transport.counters.started == 3)
  }

  @Test("another size is decoded from the same bytes on disk")
  func otherSize() {
    let world = DiskWorld()
    #expect(
      sources(world, [(NumberRequest(1), .zero), (NumberRequest(1, times: 2), .zero)]) == [.network, .disk])
  }

  @Test("what is longer on disk than a body may be is asked for, and then refused")
  func longerThanAllowed() {
    let world = DiskWorld(body: { _ in "123" })
    var configuration = ByteLoader.Configuration()
    configuration.limits.bodyBytes = 2
    let careful = ByteLoader(
      transport: world.transport, disk: world.bytes.disk, configuration: configuration,
      timeline: world.bytes.timeline)
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
    let source = world.time.run { try? await careful.load(NumberRequest(1)).source }
    // The scripted origin knows no limit.
    #expect(source == .network)
  }

  @Test("no-store leaves nothing")
  func noStore() {
    let world = DiskWorld(headers: ["Cache-Control": "no-store, max-age=60"])
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .network])
    #expect(world.files.files.isEmpty)
  }

  @Test("damage that the origin sent once is not answered from disk, and heals by itself")
  func damaged() {
    let body = Shared("damaged")
    let world = DiskWorld(body: { _ in body.value })
    #expect(sources(world, [(NumberRequest(1), .zero)]) == [nil])
    #expect(world.files.files.keys.filter { !$0.contains("cellophane-") }.isEmpty)
    body.value = "1"
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
  }

  @Test("damage that is on disk already is fetched anew")
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
    // Offline there is nothing better, so it stays.
    let offline = NumberRequest(1, policy: .offline)
    let before = world.files.files
    #expect(sources(world, [(offline, .zero)]) == [nil] && world.files.files == before)
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
    #expect(world.transport.counters.started == 1)
  }

  @Test(
    "a redirect that may change sooner than its target is not kept under the first URL",
    arguments: [
      (302, "no-store", false), (302, nil, false), (302, "max-age=60", true), (302, "max-age=59", false),
      (307, "no-cache, max-age=60", false), (301, nil, true), (308, nil, true), (301, "max-age=5", false),
    ] as [(Int, String?, Bool)])
  func redirects(status: Int, says: String?, isKept: Bool) {
    let hop = TransportResponse.Redirect(status: status, headers: says.map { ["Cache-Control": $0] } ?? [:])
    let world = DiskWorld(redirects: [hop])
    let asked = sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)])
    #expect(asked == [.network, isKept ? .disk : .network])
  }

  @Test("an older load that ends after a reload does not undo it, in memory or on disk")
  func olderLoadEndsLast() {
    let asked = Shared(0)
    let world = DiskWorld(delay: { asked.value == 1 ? .milliseconds(50) : .milliseconds(5) }) { _ in
      asked.update { $0 += 1 }
      return "\(asked.value)"
    }
    let loader = world.loader()
    let kept = world.time.run {
      world.bytes.timeline.spawn { _ = try? await loader.load(NumberRequest(1)) }
      try? await world.bytes.timeline.sleep(for: .milliseconds(10))
      let reloaded = try? await loader.load(NumberRequest(1, policy: .reload)).value
      try? await world.bytes.timeline.sleep(for: .seconds(1))
      let onDisk = try? await world.loader().load(NumberRequest(1, policy: .offline)).value
      return [reloaded, loader.cached(NumberRequest(1)), onDisk]
    }
    #expect(kept == [2, 2, 2])
  }

  @Test("a disk that fails does not fail a load; every error is an event and counted")
  func failingDisk() {
    let world = DiskWorld()
    world.files.inject(.outage(.full))
    let told = Shared(0)
    world.bytes.timeline.spawn {
      for await event in world.bytes.events.events() {
        if case .diskFailed = event.kind { told.update { $0 += 1 } }
      }
    }
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .network])
    #expect(world.bytes.events.counters.diskErrors > 0)
    #expect(told.value == world.bytes.events.counters.diskErrors)
    world.files.inject(nil)
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .disk])
  }

  @Test(
    "whether a response could be kept is said of that response, whatever else went wrong",
    arguments: [("max-age=60", true), ("no-store", false)])
  func loss(says: String, isToBeKept: Bool) {
    let world = DiskWorld(headers: ["Cache-Control": says])
    for isOut in [true, false] {
      world.files.inject(isOut ? .outage(.readOnly) : nil)
      let loaded = world.time.run { try? await world.bytes.load(NumberRequest(1)) } ?? nil
      #expect(loaded?.source == .network && (loaded?.storeFailure != nil) == (isToBeKept && isOut))
      #expect(world.bytes.events.counters.diskErrors > 0)
    }
  }

  @Test("a value in memory that is due takes what another process has brought meanwhile, without asking")
  func broughtByAnother() throws {
    let version = Shared(1)
    let world = DiskWorld(
      headers: ["Cache-Control": "max-age=10, stale-while-revalidate=50"],
      body: { _ in "\(version.value)" })
    let loader = world.loader()
    let other = ByteLoader(
      transport: world.transport,
      disk: DiskCache(
        directory: "/cache", fileSystem: world.files, executor: world.time.lane(),
        timeline: world.bytes.timeline),
      timeline: world.bytes.timeline)
    let got = world.time.run { () -> [Int?] in
      _ = try? await loader.load(NumberRequest(1))
      try? await world.bytes.timeline.sleep(for: .seconds(15))
      version.value = 2
      _ = try? await other.load(NumberRequest(1, policy: .reload))
      let stale = try? await loader.load(NumberRequest(1))
      return [stale?.value, await stale?.refresh?.value?.value]
    }
    #expect(got == [1, 2] && world.transport.counters.started == 2)
  }
}
