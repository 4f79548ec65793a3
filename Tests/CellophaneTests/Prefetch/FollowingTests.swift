@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A list of a hundred rows of 100 px, eight of which fill the screen; a row's number is its picture.
private actor FollowingScreen {
  private let prefetcher: Prefetcher<NumberDecoder>
  private let layout = EvenRows(count: 100, height: 100)
  /// One for each row.
  private let slots: [Slot<NumberDecoder>]
  private var visible = 0..<0

  init(_ world: NumberWorld, policy: (any PrefetchPolicy)? = nil) {
    prefetcher = policy.map { Prefetcher(world.loader, policy: $0) } ?? Prefetcher(world.loader)
    slots = (0..<100).map { _ in Slot(world.loader) }
  }

  /// Moves, with slots for what is visible, and goes on looking ahead.
  func scroll(to offset: Double, velocity: Double = 0) {
    let motion = ListMotion(layout, viewport: 800, offset: offset, velocity: velocity)
    for row in visible where !motion.visible.contains(row) { slots[row].show(nil) }
    for row in motion.visible where !visible.contains(row) {
      slots[row].show(NumberRequest(row, priority: .visible))
    }
    visible = motion.visible
    prefetcher.follow(motion) { NumberRequest($0) }
  }

  func move(
    to offset: Double, velocity: Double = 0, fling: Fling? = nil, asked: @Sendable (Int) -> Void = { _ in }
  ) {
    prefetcher.follow(ListMotion(layout, viewport: 800, offset: offset, velocity: velocity, fling: fling)) {
      row in
      asked(row)
      return row == 10 ? nil : NumberRequest(row)
    }
  }

  func forget() { prefetcher.show([], visible: []) }

  /// Moves; while the first row is asked, all rows come to mean what lies a hundred behind them.
  func moveAndChange(to offset: Double) {
    let motion = ListMotion(layout, viewport: 800, offset: offset)
    var isFirst = true
    prefetcher.follow(motion) { row in
      if isFirst {
        isFirst = false
        prefetcher.show([], visible: [])
        prefetcher.follow(motion) { NumberRequest($0 + 100) }
      }
      return NumberRequest(row)
    }
  }

  var loadTime: Duration { prefetcher.loadTime }
  var running: Int { prefetcher.running }
}

@Suite("A prefetcher that follows a list, in virtual time")
struct FollowingTests {
  func paths(_ world: NumberWorld) -> [Int] {
    world.transport.order.map { Int($0.split(separator: "/").last ?? "") ?? -1 }
  }

  @Test("what the policy names is loaded, most wanted first, and rows without a picture are passed over")
  func policy() {
    let world = NumberWorld()
    let screen = FollowingScreen(world, policy: RowsAhead(count: 4))
    world.time.run { await screen.move(to: 0) }
    #expect(paths(world) == [8, 9, 11])
  }

  @Test("by default, rows are loaded up to the landing and eight behind it, and without a fling eight")
  func byDefault() {
    for (fling, rows) in [(Fling(.ios, speed: 2000), Array(18...35)), (nil, Array(18...25))] {
      let world = NumberWorld()
      let screen = FollowingScreen(world)
      world.time.run { await screen.move(to: 1000, velocity: 2000, fling: fling) }
      #expect(paths(world) == rows)
    }
  }

  @Test("a finger that stops a fling ends what was loaded for its landing")
  func touched() {
    let world = NumberWorld { .init(after: .seconds(1), $0.success()) }
    let screen = FollowingScreen(world, policy: LandingAware())
    world.time.run {
      // Comes to rest 3 996 px on.
      await screen.move(to: 0, velocity: 8000, fling: Fling(.ios, speed: 8000))
      try? await world.timeline.sleep(for: .milliseconds(100))
      await screen.move(to: 720)
    }
    // Two at once, because nothing is known of the line yet.
    #expect(paths(world) == [34, 35] + Array(16...23))
    #expect(world.transport.counters.cancelled == 2)
  }

  @Test("a row that comes in takes over what is being loaded for it", arguments: [1, 3, 20, 50])
  func takenOver(rowsAhead: Int) {
    let world = NumberWorld { .init(after: .seconds(1), $0.success()) }
    let screen = FollowingScreen(world, policy: RowsAhead(count: rowsAhead))
    world.time.run {
      // The first screen is there before anything leaves it.
      await screen.scroll(to: 0)
      try? await world.timeline.sleep(for: .seconds(3))
      for step in 0...40 {
        await screen.scroll(to: Double(step) * 50, velocity: 150)
        try? await world.timeline.sleep(for: .milliseconds(330))
      }
    }
    #expect(world.transport.counters.cancelled == 0)
    #expect(paths(world).count == Set(paths(world)).count)
    #expect(Set(paths(world)).isSuperset(of: 0..<28))
  }

  @Test("what came in and is out again is cancelled, also when the policy says nothing new")
  func outAgain() {
    let world = NumberWorld { .init(after: .seconds(10), $0.success()) }
    let screen = FollowingScreen(world, policy: CacheWindow())
    world.time.run {
      var running: [Int] = []
      for (offset, velocity) in [(0.0, 100.0), (50, 100), (50, 0), (5_000, 0)] {
        await screen.scroll(to: offset, velocity: velocity)
        running.append(await screen.running)
      }
      // Row 8; that and row 9; row 8, which is visible; nothing.
      #expect(running == [1, 2, 1, 0])
    }
  }

  @Test("rows are asked what they want when they change, and again after the window was shown otherwise")
  func asking() {
    let world = NumberWorld()
    let screen = FollowingScreen(world, policy: RowsAhead(count: 2))
    let asked = Shared<[Int]>([])
    world.time.run {
      for offset in [0.0, 0, 40, 0, 100] {
        await screen.move(to: offset) { row in asked.update { $0.append(row) } }
      }
      await screen.forget()
      await screen.move(to: 100) { row in asked.update { $0.append(row) } }
    }
    #expect(asked.value == [8, 9, 9, 10, 8, 9, 9, 10, 9, 10])
  }

  @Test("rows that come to mean something else while they are asked are loaded as what they mean last")
  func changing() {
    let world = NumberWorld()
    let screen = FollowingScreen(world, policy: RowsAhead(count: 3))
    world.time.run { await screen.moveAndChange(to: 0) }
    #expect(paths(world) == [108, 109, 110])
    #expect(world.transport.counters.cancelled == 0)
  }

  @Test("the memory cache is told where the list is, and what is kept which row it is for")
  func position() {
    let world = NumberWorld(memory: 0, eviction: .farthestRow)
    world.loader.memory.limit = 8 * (8 + MemoryCacheLimit.entryCost)
    let screen = FollowingScreen(world, policy: RowsAhead(count: 4))
    world.time.run {
      for row in stride(from: 0, through: 5_000, by: 50) {
        await screen.move(to: Double(row), velocity: 1)
        try? await world.timeline.sleep(for: .seconds(1))
      }
    }
    #expect(world.loader.memory.position == 54)
    // By use alone, the latest would be here, which lie ahead of the screen.
    let held = (0..<100).filter { world.loader.memory.peek(NumberRequest($0).key) != nil }
    #expect(held.count == 8 && held.allSatisfy { abs($0 - 54) <= 5 }, "\(held)")
  }

  @Test("how long a load takes is what loads from the origin took")
  func loadTime() {
    let world = NumberWorld { .init(after: .milliseconds(200), $0.success()) }
    let screen = FollowingScreen(world, policy: RowsAhead(count: 2))
    let before = world.time.run { await screen.loadTime }
    let after = world.time.run {
      await screen.move(to: 0)
      try? await world.timeline.sleep(for: .seconds(1))
      return await screen.loadTime
    }
    #expect(before == .milliseconds(500) && after == .milliseconds(200))
  }
}

@Suite("The pace of loads")
struct LoadPaceTests {
  @Test("the first counts alone, each further one for an eighth")
  func mean() {
    var pace = LoadPace()
    pace.note(.milliseconds(80))
    #expect(pace.loadTime == .milliseconds(80))
    pace.note(.milliseconds(160))
    #expect(pace.loadTime == .milliseconds(90))
  }

  @Test("one that was given up counts only when it took longer than that already")
  func givenUp() {
    var pace = LoadPace()
    pace.note(.milliseconds(80))
    pace.note(atLeast: .milliseconds(70))
    #expect(pace.loadTime == .milliseconds(80))
    pace.note(atLeast: .milliseconds(160))
    #expect(pace.loadTime == .milliseconds(90))
  }
}
