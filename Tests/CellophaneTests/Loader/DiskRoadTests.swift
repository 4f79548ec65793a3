@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

/// A loader of numbers over a disk cache in memory, in virtual time.
struct DiskWorld: Sendable {
  let time = VirtualTime()
  let files = MemoryFileSystem()
  let transport: ScriptedTransport
  let bytes: ByteLoader

  init(headers: HeaderFields = ["Cache-Control": "max-age=60"]) {
    let timeline = time.timeline()
    transport = ScriptedTransport(timeline: timeline) { request in
      .init(
        after: .milliseconds(10),
        .success(
          TransportResponse(
            status: 200, headers: headers, body: Array("\(request.number)".utf8), url: request.url)))
    }
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      timeline: timeline)
  }

  /// A new loader, as after a restart: nothing in memory, everything on disk.
  func loader() -> ResourceLoader<NumberDecoder> {
    ResourceLoader(bytes: bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 8_000))
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

  @Test("fresh bytes are answered from disk, stale ones fetched anew; offline takes any")
  func freshness() {
    let world = DiskWorld()
    let asked = sources(
      world,
      [
        (NumberRequest(1), .seconds(59)), (NumberRequest(1), .seconds(2)),
        (NumberRequest(1), .seconds(1_000)),
        (NumberRequest(1, policy: .offline), .zero), (NumberRequest(1, policy: .reload), .zero),
        (NumberRequest(2, policy: .offline), .zero),
      ])
    #expect(asked == [.network, .disk, .network, .disk, .network, nil])
    #expect(world.bytes.events.counters.diskHits == 2 && world.transport.counters.started == 3)
  }

  @Test("another size is decoded from the same bytes on disk")
  func otherSize() {
    let world = DiskWorld()
    #expect(
      sources(world, [(NumberRequest(1), .zero), (NumberRequest(1, times: 2), .zero)]) == [.network, .disk])
  }

  @Test("no-store leaves nothing")
  func noStore() {
    let world = DiskWorld(headers: ["Cache-Control": "no-store, max-age=60"])
    #expect(sources(world, [(NumberRequest(1), .zero), (NumberRequest(1), .zero)]) == [.network, .network])
    #expect(world.files.files.isEmpty)
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
}
