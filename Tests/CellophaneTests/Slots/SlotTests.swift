@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Slots, in virtual time")
struct SlotTests {
  @Test("a slot shows a placeholder, then the value; a value in memory is shown before the call returns")
  func loading() {
    let world = NumberWorld()
    let screen = Screen(world)
    let states = world.time.run {
      await screen.show(NumberRequest(1))
      try? await world.timeline.sleep(for: .seconds(1))
      await screen.show(NumberRequest(2))
      try? await world.timeline.sleep(for: .seconds(1))
      return await screen.show(NumberRequest(1))
    }
    #expect(states == "1 from memory")
    #expect(screen.states == ["loading", "1 from network", "loading", "2 from network", "1 from memory"])
  }

  @Test("a slot that keeps the previous value shows it until the new one arrives")
  func previous() {
    let world = NumberWorld()
    let drawing = TimeDrawing(world.timeline, step: .milliseconds(5), rows: "show", "slot", "origin")
    drawing.drawTransfers(of: world.bytes, in: "origin")
    let screen = Screen(world, placeholder: .previous, drawing: drawing)
    world.time.run {
      for number in [1, 2, 3] {
        drawing.mark("show", number.description.last ?? " ")
        await screen.show(NumberRequest(number))
        try? await world.timeline.sleep(for: .milliseconds(number == 2 ? 5 : 50))
      }
    }
    #expect(
      screen.states == ["loading", "1 from network", "loading over 1", "loading over 1", "3 from network"])
    #expect(
      drawing.text == """
        show    1---------23
        slot    ?-1-------~~--3
        origin  [-]-------[x[-]
        """)
  }

  @Test("showing the same request again restarts nothing, during the load and after it")
  func same() {
    let world = NumberWorld()
    let screen = Screen(world)
    world.time.run {
      for _ in 0..<3 {
        await screen.show(NumberRequest(1))
        try? await world.timeline.sleep(for: .milliseconds(7))
      }
    }
    #expect(screen.states == ["loading", "1 from network"])
    #expect(world.origin.counters.started == 1)
  }

  @Test("showing nothing cancels the load, and no value is shown afterwards")
  func nothing() {
    let world = NumberWorld()
    let screen = Screen(world)
    world.time.run {
      await screen.show(NumberRequest(1))
      try? await world.timeline.sleep(for: .milliseconds(5))
      await screen.show(nil)
    }
    #expect(screen.states == ["loading", "empty"])
    #expect(world.origin.counters.cancelled == 1)
  }

  @Test("a released slot cancels its load")
  func released() {
    let world = NumberWorld()
    let screen = Screen(world)
    world.time.run {
      await screen.show(NumberRequest(1))
      try? await world.timeline.sleep(for: .milliseconds(5))
      await screen.release()
    }
    #expect(world.origin.counters.cancelled == 1)
    #expect(world.time.run { await world.isIdle() } == true)
  }

  @Test("a failure is shown with its error, and the request can be retried")
  func failure() {
    let fails = Shared(true)
    let world = NumberWorld { request in
      fails.value
        ? .init(after: .milliseconds(1), .failure(LoadError(.timeout, "slow", isRetryable: true)))
        : .init(after: .milliseconds(1), request.success())
    }
    let screen = Screen(world)
    world.time.run {
      await screen.show(NumberRequest(1))
      try? await world.timeline.sleep(for: .milliseconds(5))
      fails.value = false
      await screen.retry()
      try? await world.timeline.sleep(for: .milliseconds(5))
      await screen.retry()
    }
    #expect(screen.states == ["loading", "failed timeout", "loading", "1 from network"])
  }

  @Test("a result that arrives after the slot was bound again is discarded and counted")
  func stale() {
    let world = NumberWorld()
    let executor = ManualExecutor()
    let screen = ManualScreen(world, executor: executor)
    world.timeline.spawn { await screen.show(NumberRequest(1)) }
    while world.origin.running == 0 {
      world.time.run(until: world.time.now)
      executor.run()
    }
    // The value has arrived, and its delivery waits for the screen.
    world.time.run()
    // The slot is bound to nothing before the delivery runs.
    world.timeline.spawn { await screen.show(nil) }
    world.time.run()
    executor.run(newestFirst: true)
    world.time.run()
    executor.run()
    #expect(screen.states == ["loading", "empty"])
    #expect(world.bytes.events.counters.staleDrops == 1)
    #expect(world.loader.memory.peek(NumberRequest(1).key) == 1)
  }

  @Test(
    "a display that binds the slot again, or to nothing, determines its last state",
    arguments: [nil, 2] as [Int?])
  func reentrant(next: Int?) {
    let world = NumberWorld()
    let screen = ReentrantScreen()
    world.time.run {
      await screen.start(world, next: next.map { NumberRequest($0) })
      try? await world.timeline.sleep(for: .seconds(1))
    }
    let last = next.map { "\($0) from network" } ?? "empty"
    #expect(world.time.run { await screen.last } == last)
    #expect(world.origin.counters.cancelled + world.origin.counters.started <= 2)
    #expect(world.time.run { await world.isIdle() } == true)
  }

  @Test("a reload loads again if the previous one is shown, and joins it if it still runs")
  func reload() {
    let world = NumberWorld()
    let screen = Screen(world)
    world.time.run {
      for pause in [20, 5, 20] {
        await screen.show(NumberRequest(1, policy: .reload))
        try? await world.timeline.sleep(for: .milliseconds(pause))
      }
    }
    #expect(world.origin.counters.started == 2, "the third joins the second, which still runs")
    #expect(screen.states == ["loading", "1 from network", "loading", "1 from network"])
  }

  @Test("showing the same request with visible priority moves it ahead of waiting ones")
  func raised() {
    var configuration = ByteLoader.Configuration()
    configuration.transfers = 1
    let world = NumberWorld(configuration: configuration)
    let screens = (0..<4).map { _ in Screen(world) }
    world.time.run {
      for (number, screen) in screens.enumerated() {
        await screen.show(NumberRequest(number, priority: .prefetch))
      }
      try? await world.timeline.sleep(for: .milliseconds(1))
      await screens[3].show(NumberRequest(3, priority: .visible))
    }
    #expect(world.origin.order.map { $0.suffix(1) } == ["0", "3", "1", "2"])
  }

  @MainActor
  @Test("a slot on the main actor calls its display there")
  func mainActor() async {
    let timeline = Timeline()
    let transport = ScriptedTransport(timeline: timeline) { .init($0.success()) }
    let loader = ResourceLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: NumberDecoder(),
      memory: MemoryCache(limit: 8_000))
    let (shown, continuation) = AsyncStream.makeStream(of: String.self)
    let slot = Slot(loader) { state in
      MainActor.assertIsolated()
      continuation.yield(state.text)
    }
    slot.show(NumberRequest(3))
    var states = shown.makeAsyncIterator()
    #expect(await states.next() == "loading")
    #expect(await states.next() == "3 from network")
    slot.show(NumberRequest(3).with(priority: .visible))
    #expect(slot.state.text == "3 from network")
  }
}
