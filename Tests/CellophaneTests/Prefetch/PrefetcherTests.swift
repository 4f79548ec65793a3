@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A screen with a prefetcher and one slot.
actor PrefetchingScreen {
  private let prefetcher: Prefetcher<NumberDecoder>
  private let slot: Slot<NumberDecoder>

  init(_ world: NumberWorld, concurrency: Int = 2, byteBudget: Int = 100_000) {
    var configuration = Prefetcher<NumberDecoder>.Configuration()
    configuration.concurrency = concurrency
    configuration.byteBudget = byteBudget
    prefetcher = Prefetcher(world.loader, configuration: configuration)
    slot = Slot(world.loader)
  }

  func prefetch(_ numbers: some Sequence<Int>) {
    prefetcher.show(numbers.map { NumberRequest($0) }, visible: [])
  }
  /// Binds the slot to `number`, or to nothing, and sets the window of the prefetcher.
  func show(_ number: Int?, prefetching numbers: some Sequence<Int>) {
    let request = number.map { NumberRequest($0, priority: .visible) }
    slot.show(request)
    prefetcher.show(numbers.map { NumberRequest($0) }, visible: [request].compactMap(\.self))
  }
  func pause() { prefetcher.pause() }
  func resume() { prefetcher.resume() }
  func show(_ number: Int) { slot.show(NumberRequest(number, priority: .visible)) }
  var running: Int { prefetcher.running }
}

@Suite("Prefetcher, in virtual time")
struct PrefetcherTests {
  func paths(_ world: NumberWorld) -> [Int] {
    world.origin.order.map { Int($0.split(separator: "/").last ?? "") ?? -1 }
  }

  @Test("the window is loaded in order, two at once, and each request once")
  func order() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run { await screen.prefetch([3, 1, 4, 1, 5, 9]) }
    #expect(paths(world) == [3, 1, 4, 5, 9])
    #expect(world.origin.counters.mostAtOnce == 2)
  }

  @Test("a new window cancels the loads that left it, keeps the others and starts new ones")
  func moving() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.prefetch([1, 2, 3])
      try? await world.timeline.sleep(for: .milliseconds(5))
      await screen.prefetch([2, 3, 4])
    }
    #expect(paths(world) == [1, 2, 3, 4])
    #expect(world.origin.counters.cancelled == 1)
    #expect(world.loader.cached(NumberRequest(1)) == nil && world.loader.cached(NumberRequest(2)) == 2)
  }

  @Test("a window that moves back and forth during a transfer leaves no slot occupied")
  func backAndForth() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      for _ in 0..<5 {
        await screen.prefetch([1, 2])
        await screen.prefetch([])
      }
      await screen.prefetch([1, 2, 3, 4])
    }
    for number in 1...4 { #expect(world.loader.cached(NumberRequest(number)) == number) }
    #expect(world.time.run { await (world.isIdle(), screen.running) } ?? (false, -1) == (true, 0))
  }

  @Test("a value in memory causes no load")
  func memory() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      for _ in 0..<3 {
        await screen.prefetch([1, 2, 3])
        try? await world.timeline.sleep(for: .seconds(1))
        await screen.prefetch([])
      }
    }
    #expect(paths(world) == [1, 2, 3])
  }

  @Test("no load starts above the byte budget, until the window moves")
  func budget() {
    let world = NumberWorld()
    // The third load starts when two values are loaded, and reaches the budget.
    let cost = world.loader.cost(of: 1)
    let screen = PrefetchingScreen(world, concurrency: 1, byteBudget: cost * 5 / 2)
    world.time.run {
      await screen.prefetch(1...9)
      try? await world.timeline.sleep(for: .seconds(1))
      #expect(paths(world) == [1, 2, 3])
      await screen.prefetch(3...9)
    }
    #expect(paths(world) == [1, 2, 3, 4, 5])
  }

  @Test("a value that was evicted while in the window is loaded again when the window moves")
  func evicted() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.prefetch([1, 2])
      try? await world.timeline.sleep(for: .seconds(1))
      world.loader.memory.trim(to: 0)
      await screen.prefetch([2, 3])
    }
    #expect(paths(world) == [1, 2, 2, 3])
  }

  @Test("a paused prefetcher starts no load until it is resumed")
  func pausing() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.pause()
      await screen.prefetch([1, 2, 3])
      try? await world.timeline.sleep(for: .seconds(1))
      #expect(world.origin.counters.started == 0)
      await screen.resume()
    }
    #expect(paths(world) == [1, 2, 3])
  }

  @Test("a slot raises the priority of its waiting prefetch, and no second transfer starts")
  func raised() {
    var configuration = ByteLoader.Configuration()
    configuration.transfers = 1
    configuration.transfersPerOrigin = 1
    configuration.reservedForVisible = 0
    let world = NumberWorld(configuration: configuration)
    let screen = PrefetchingScreen(world, concurrency: 8)
    world.time.run {
      await screen.prefetch(1...5)
      try? await world.timeline.sleep(for: .milliseconds(1))
      await screen.show(5)
    }
    #expect(paths(world) == [1, 5, 2, 3, 4])
  }

  @Test("a slot takes over the running load of its request until it shows another one")
  func takenOver() {
    let world = NumberWorld { .init(after: .seconds(1), $0.success()) }
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.prefetch([1, 2])
      try? await world.timeline.sleep(for: .milliseconds(500))
      // 1 leaves the window when the slot is bound to it, and 2 likewise with the next call.
      await screen.show(1, prefetching: [2, 3])
      await screen.show(2, prefetching: [3, 4])
      try? await world.timeline.sleep(for: .seconds(2))
      await screen.show(5, prefetching: [5, 6])
      try? await world.timeline.sleep(for: .milliseconds(500))
      await screen.show(nil, prefetching: [6])
    }
    // The slot shows neither 1 after it shows 2, nor 5 at the end.
    #expect(paths(world) == [1, 2, 3, 4, 5, 6])
    #expect(world.origin.counters.cancelled == 2)
    #expect(world.loader.cached(NumberRequest(2)) == 2 && world.loader.cached(NumberRequest(1)) == nil)
  }

  @Test("a failed load does not stop the others")
  func failure() {
    let world = NumberWorld { request in
      request.number == 2
        ? .init(.failure(LoadError(.malformedResponse, "nonsense"))) : .init(request.success())
    }
    let screen = PrefetchingScreen(world)
    world.time.run { await screen.prefetch(1...4) }
    #expect(paths(world) == [1, 2, 3, 4])
    #expect(world.loader.memory.count == 3)
  }
}
