@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

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
  /// Binds the slot, or to nothing, and prefetches behind what it shows.
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
    world.transport.order.map { Int($0.split(separator: "/").last ?? "") ?? -1 }
  }

  @Test("in order, so many at once, each once")
  func order() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run { await screen.prefetch([3, 1, 4, 1, 5, 9]) }
    #expect(paths(world) == [3, 1, 4, 5, 9])
    #expect(world.transport.counters.mostAtOnce == 2)
  }

  @Test("moving the window cancels what left it, keeps what stays, starts what came")
  func moving() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.prefetch([1, 2, 3])
      try? await world.timeline.sleep(for: .milliseconds(5))
      await screen.prefetch([2, 3, 4])
    }
    #expect(paths(world) == [1, 2, 3, 4])
    #expect(world.transport.counters.cancelled == 1)
    #expect(world.loader.cached(NumberRequest(1)) == nil && world.loader.cached(NumberRequest(2)) == 2)
  }

  @Test("back and forth within a transfer leaves no place taken")
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
    #expect(world.time.run { await (world.isQuiet(), screen.running) } ?? (false, -1) == (true, 0))
  }

  @Test("what is in memory causes no work")
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

  @Test("nothing new beyond the budget, until the window moves on")
  func budget() {
    let world = NumberWorld()
    // The third starts when two are held, and fills the budget.
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

  @Test("what was evicted while in the window is loaded again when the window moves")
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

  @Test("paused, it starts nothing; resumed, it goes on")
  func pausing() {
    let world = NumberWorld()
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.pause()
      await screen.prefetch([1, 2, 3])
      try? await world.timeline.sleep(for: .seconds(1))
      #expect(world.transport.counters.started == 0)
      await screen.resume()
    }
    #expect(paths(world) == [1, 2, 3])
  }

  @Test("a slot that asks for what waits to be prefetched raises it, and costs no second transfer")
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

  @Test("what comes to be shown takes over what is being loaded for it, until it is shown no more")
  func takenOver() {
    let world = NumberWorld { .init(after: .seconds(1), $0.success()) }
    let screen = PrefetchingScreen(world)
    world.time.run {
      await screen.prefetch([1, 2])
      try? await world.timeline.sleep(for: .milliseconds(500))
      // 1 leaves the window in the turn in which its slot is bound, and 2 in the next.
      await screen.show(1, prefetching: [2, 3])
      await screen.show(2, prefetching: [3, 4])
      try? await world.timeline.sleep(for: .seconds(2))
      await screen.show(5, prefetching: [5, 6])
      try? await world.timeline.sleep(for: .milliseconds(500))
      await screen.show(nil, prefetching: [6])
    }
    // Nobody shows 1 any more when 2 is shown, nor 5 at the end.
    #expect(paths(world) == [1, 2, 3, 4, 5, 6])
    #expect(world.transport.counters.cancelled == 2)
    #expect(world.loader.cached(NumberRequest(2)) == 2 && world.loader.cached(NumberRequest(1)) == nil)
  }

  @Test("a failure does not stop the others")
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
