@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Background refreshes, in virtual time")
struct RefreshTests {
  @Test("all callers get the stale value at once, and one refresh brings the new one to every slot")
  func callers() {
    let world = RefreshWorld()
    let screen = RefreshScreen(world, slots: 4)
    let results = Shared<[String]>([])
    world.time.run {
      _ = await world.load(1)
      await world.sleep(29)
      world.clearMemory()
      for _ in 0..<100 {
        world.timeline.spawn {
          let (before, result) = (world.timeline.now, await world.load(1))
          #expect(world.timeline.now == before)
          results.update { $0.append(result) }
        }
      }
      for slot in 0..<2 { await screen.show(1, in: slot) }
      await world.sleep(0.5)
      // From memory, during the refresh.
      await screen.show(1, in: 2)
      await screen.show(1, in: 3)
      #expect(await world.load(1) == "1001 stale")
      #expect(await world.bytes.activity.inFlight == 1)
      #expect(await world.loader.activity.inFlight == 1)
      await screen.show(nil, in: 3)
    }
    #expect(results.value == Array(repeating: "1001 stale", count: 100))
    #expect(screen.states[0] == ["loading", "1001 from disk", "1002 from network"])
    #expect(screen.states[1] == screen.states[0])
    #expect(screen.states[2] == ["1001 from memory", "1002 from network"])
    #expect(screen.states[3] == ["1001 from memory", "empty"])
    #expect(world.origin.counters.started == 2)
    #expect(world.loader.cached(NumberRequest(1)) == 1_002)
    let counters = world.bytes.events.counters
    #expect(counters.refreshes == 1 && counters.staleHits == 1)
    #expect(world.time.run { await world.isIdle() } == true)
  }

  @Test("a stale value in memory is refreshed for all slots that show it")
  func memory() {
    let world = RefreshWorld()
    let drawing = TimeDrawing(
      world.timeline, step: .seconds(1), rows: "load", "slot 0", "slot 1", "origin")
    drawing.drawTransfers(of: world.bytes, in: "origin")
    let screen = RefreshScreen(world, slots: 2, drawing: drawing)
    world.time.run {
      await screen.show(1, in: 0)
      await world.sleep(8)
      // A fresh value needs no refresh.
      await screen.show(1, in: 1)
      await world.sleep(20)
      #expect(await world.load(1) == "1001 stale")
      drawing.mark("load", "1")
      await world.sleep(30)
      #expect(await world.load(1) == "1002 stale")
      drawing.mark("load", "2")
    }
    // The stale value answers at once; one second later, the new one replaces it.
    #expect(
      drawing.text == """
        load    ----------------------------1-----------------------------2
        slot 0  ?1---------------------------2-----------------------------3
        slot 1  --------1--------------------2-----------------------------3
        origin  []--------------------------[]----------------------------[]
        """)
    #expect(screen.states[0] == ["loading", "1001 from network", "1002 from network", "1003 from network"])
    #expect(screen.states[1] == ["1001 from memory", "1002 from network", "1003 from network"])
    #expect(world.origin.counters.started == 3)
  }

  @Test("a refresh continues after its callers are cancelled")
  func cancelledCallers() {
    let world = RefreshWorld()
    world.time.run {
      _ = await world.load(1)
      await world.sleep(29)
      world.clearMemory()
      let caller = world.timeline.spawn {
        let loaded = try? await world.loader.load(NumberRequest(1))
        #expect(await loaded?.refresh?.value?.value == nil)
        #expect(Task.isCancelled)
      }
      await world.sleep(0.5)
      caller.cancel()
    }
    #expect(world.origin.counters.started == 2 && world.origin.counters.cancelled == 0)
    #expect(world.loader.cached(NumberRequest(1)) == 1_002)
  }

  @Test("a caller without a slot can wait for the new value")
  func waiting() {
    let world = RefreshWorld()
    let newer = world.time.run { () -> [Int?] in
      _ = await world.load(1)
      await world.sleep(14)
      world.clearMemory()
      let same = try? await world.loader.load(NumberRequest(1))
      let unchanged = await same?.refresh?.value
      await world.sleep(20)
      let other = try? await world.loader.load(NumberRequest(1))
      return [same?.value, unchanged?.value, other?.value, await other?.refresh?.value?.value]
    }
    #expect(newer == [1_001, nil, 1_001, 1_002])
    #expect(world.bytes.events.counters.revalidated == 1)
  }

  @Test(
    "a failed refresh keeps the stale value, and the next one begins after a pause",
    arguments: [500, 404], [MemoryReuse.untilEvicted, .untilStale])
  func failing(status: Int, reuse: MemoryReuse) {
    let world = RefreshWorld(reuse: reuse)
    let screen = RefreshScreen(world, slots: 1)
    world.time.run {
      await screen.show(1, in: 0)
      await world.sleep(20)
      world.failureStatus.value = status
      // The refresh begins at 20 s and fails at 21 s. The next one begins at 31 s at the earliest.
      for _ in 0..<21 {
        // The value answers as stale, also during the pause.
        #expect(await world.load(1) == "1001 stale")
        await world.sleep(0.5)
      }
      // An offline load starts no refresh.
      let offline = await world.load(1, policy: .offline)
      #expect(offline == (reuse == .untilStale ? "error" : "1001 stale"))
      #expect(world.bytes.events.counters.refreshes == 1)
      world.failureStatus.value = nil
      await world.sleep(1)
      _ = await world.load(1)
    }
    #expect(world.bytes.events.counters.refreshes == 2)
    #expect(screen.states[0] == ["loading", "1001 from network", "1002 from network"])
  }

  @Test("a refreshed value is shown whatever its Cache-Control", arguments: ["max-age=10", "no-store", ""])
  func anyCacheControl(cacheControl: String) {
    let world = RefreshWorld()
    let screen = RefreshScreen(world, slots: 1)
    let loads = world.time.run { () -> [String] in
      await screen.show(1, in: 0)
      await world.sleep(21)
      world.cacheControl.value = cacheControl
      let first = await world.load(1)
      await world.sleep(2)
      return [first, await world.load(1)]
    }
    #expect(loads == ["1001 stale", "1002 memory"])
    #expect(screen.states[0] == ["loading", "1001 from network", "1002 from network"])
  }

  /// A refresh begins at 12 s and ends at 17 s. A reload between them has a newer result.
  @Test("a refresh that begins before a reload and ends after it changes nothing", arguments: [200, 500])
  func overtaken(status: Int) {
    let delay = Shared(Duration.zero)
    let world = RefreshWorld(reuse: .untilStale) { _ in delay.value }
    let loads = world.time.run { () -> [String] in
      var loads = [await world.load(1)]
      await world.sleep(12)
      delay.value = .seconds(5)
      world.failureStatus.value = status == 200 ? nil : status
      loads.append(await world.load(1))
      await world.sleep(1)
      delay.value = .zero
      world.failureStatus.value = nil
      world.cacheControl.value = "max-age=2, must-revalidate"
      loads.append(await world.load(1, policy: .reload))
      await world.sleep(4.5)
      // The value of the reload has expired, and the refresh does not extend it.
      for policy in [CachePolicy.offline, .standard] { loads.append(await world.load(1, policy: policy)) }
      return loads
    }
    #expect(loads == ["1001 network", "1001 stale", "1001 network", "error", "1001 disk"])
  }

  @Test("the Cache-Control of a 304 applies to the value from then on")
  func notModified() {
    let world = RefreshWorld()
    let loads = world.time.run { () -> [String] in
      var loads: [String] = []
      for second in [0, 13, 15, 60] {
        try? await world.timeline.sleep(for: .seconds(second) - world.timeline.now)
        loads.append(await world.load(1))
        world.cacheControl.value = "max-age=10"
      }
      return loads
    }
    #expect(loads == ["1001 network", "1001 stale", "1001 memory", "1001 memory"])
    #expect(world.bytes.events.counters.refreshes == 1)
  }

  @Test("a value that is never fresh is refreshed once per pause")
  func neverFresh() {
    let world = RefreshWorld(freshFor: 0)
    world.time.run {
      for second in 0..<100 {
        let loaded = await world.load(1)
        #expect(loaded.hasSuffix(second == 0 ? "network" : "stale"))
        await world.sleep(1)
      }
    }
    // One refresh every 11 s: the pause of 10 s and the response time of 1 s.
    #expect((8...10).contains(world.bytes.events.counters.refreshes))
  }

  @Test("a refresh waits for other loads, and a load that needs its value raises its priority")
  func priority() {
    var configuration = ByteLoader.Configuration()
    (configuration.transfers, configuration.reservedForVisible) = (1, 0)
    for raises in [false, true] {
      let world = RefreshWorld(configuration: configuration)
      world.time.run {
        _ = await world.load(1)
        await world.sleep(29)
        world.clearMemory()
        world.timeline.spawn { _ = await world.load(9) }
        await world.sleep(0.1)
        _ = await world.load(1)
        for number in 2..<4 { world.timeline.spawn { _ = await world.load(number) } }
        await world.sleep(0.1)
        if raises {
          // After the stale-while-revalidate window, a load must wait for the refresh.
          await world.bytes.disk?.store(
            StoredResponse(status: 200, headers: [:], body: Array("0".utf8), storedAt: 0),
            for: NumberRequest(1).key.response)
          world.clearMemory()
          let loaded = try? await world.loader.load(NumberRequest(1, priority: .visible))
          #expect(loaded?.value == 1_002)
        }
      }
      let order = world.origin.order.dropFirst().map { String($0.suffix(1)) }
      #expect(order == (raises ? ["9", "1", "2", "3"] : ["9", "2", "3", "1"]))
      #expect(world.origin.counters.duplicates == 0)
    }
  }

  @Test("without background refreshes, a load asks the origin about a stale value first")
  func withoutBackground() {
    var configuration = ByteLoader.Configuration()
    configuration.refreshesInBackground = false
    let world = RefreshWorld(configuration: configuration)
    let result = world.time.run {
      _ = await world.load(1)
      await world.sleep(29)
      world.clearMemory()
      return await world.load(1)
    }
    #expect(result == "1002 network" && world.bytes.events.counters.refreshes == 0)
  }

  /// The redirect to a value that is fresh for 10 s, the seconds until the next load, whether memory has the
  /// value from disk, and the number of requests.
  @Test(
    "a value in memory is refreshed as soon as the redirect to it expires",
    arguments: [
      ("302 max-age=2", 1, false, 1), ("302 max-age=2", 2, false, 2), ("302", 0, false, 2),
      ("301", 9, false, 1),
      ("301", 10, false, 2), ("302 max-age=20", 9, false, 1), ("302 max-age=20", 10, false, 2),
      ("307 no-store, max-age=20", 0, false, 2), ("302 max-age=20", 9, true, 1),
      ("302 max-age=20", 10, true, 2),
    ])
  func redirected(via: String, after: Int, isFromDisk: Bool, requests: Int) throws {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=10, stale-while-revalidate=1000 | via: \(via)"])
    let loader = ResourceLoader(
      bytes: world.bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: 8_000))
    let request = try Request("http://origin/a", options: 1)
    let sources = world.time.run { () -> [Source?] in
      if isFromDisk { _ = await world.load() }
      let first = try? await loader.load(request)
      try? await world.bytes.timeline.sleep(for: .seconds(after))
      let second = try? await loader.load(request)
      _ = await second?.refresh?.value
      return [first?.source, second?.source]
    }
    #expect(sources == [isFromDisk ? .disk : .network, .memory] && world.seen.count == requests)
  }
}
