@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A list of a hundred rows of 100 px. Eight rows fill the screen. The image of a row is its number.
private actor FollowingScreen {
  private let prefetcher: Prefetcher<NumberDecoder>
  private let layout: EvenRows
  /// The slots, one per row.
  private let slots: [Slot<NumberDecoder>]
  private var visible = 0..<0

  init(
    _ world: NumberWorld, policy: (any PrefetchPolicy)? = nil,
    layout: EvenRows = EvenRows(count: 100, height: 100)
  ) {
    self.layout = layout
    prefetcher = policy.map { Prefetcher(world.loader, policy: $0) } ?? Prefetcher(world.loader)
    slots = (0..<100).map { _ in Slot(world.loader) }
  }

  /// Scrolls, binds the slots of the visible rows, and updates the prefetcher.
  func scroll(to offset: Double, velocity: Double = 0) {
    let motion = ListMotion(layout, viewport: 800, offset: offset, velocity: velocity)
    for row in visible where !motion.visible.contains(row) { slots[row].show(nil) }
    for row in motion.visible where !visible.contains(row) {
      slots[row].show(NumberRequest(row, priority: .visible))
    }
    visible = motion.visible
    prefetcher.follow(motion) { NumberRequest($0) }
  }

  /// Updates the prefetcher, without slots. Calls `onRequest` with each row for which it creates a request.
  /// Row 10 has no image.
  func move(
    to offset: Double, velocity: Double = 0, fling: Fling? = nil,
    onRequest: @Sendable (Int) -> Void = { _ in }
  ) {
    prefetcher.follow(ListMotion(layout, viewport: 800, offset: offset, velocity: velocity, fling: fling)) {
      row in
      onRequest(row)
      return row == 10 ? nil : NumberRequest(row)
    }
  }

  /// Clears the window.
  func clear() { prefetcher.show([], visible: []) }

  /// Updates the prefetcher. When it asks for the first row, all rows get requests of a hundred rows later.
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
struct PrefetcherFollowingTests {
  func paths(_ world: NumberWorld) -> [Int] {
    world.origin.order.map { Int($0.split(separator: "/").last ?? "") ?? -1 }
  }

  @Test("the rows of the policy are loaded in its order, and a row without an image is skipped")
  func policy() {
    let world = NumberWorld()
    let screen = FollowingScreen(world, policy: RowsAhead(count: 4))
    world.time.run { await screen.move(to: 0) }
    #expect(paths(world) == [8, 9, 11])
  }

  @Test(
    "by default, the next eight rows are loaded, and at least two and a half screens", arguments: [100, 500])
  func byDefault(height: Double) {
    let world = NumberWorld()
    let screen = FollowingScreen(world, layout: EvenRows(count: 100, height: height))
    world.time.run { await screen.move(to: 1000, velocity: 2000) }
    // Row 10 has no image.
    #expect(paths(world) == (height == 100 ? Array(18...37) : [4, 5, 6, 7, 8, 9, 11]))
  }

  @Test("a finger that stops a fling cancels the loads of its landing")
  func stoppedFling() {
    let world = NumberWorld { .init(after: .seconds(1), $0.success()) }
    let screen = FollowingScreen(world, policy: LandingAware())
    world.time.run {
      // The landing is 3 996 px ahead.
      await screen.move(to: 0, velocity: 8000, fling: Fling(.ios, speed: 8000))
      try? await world.timeline.sleep(for: .milliseconds(100))
      await screen.move(to: 720)
    }
    // Two at once, because the link is not measured yet.
    #expect(paths(world) == [34, 35] + Array(16...23))
    #expect(world.origin.counters.cancelled == 2)
  }

  @Test("the slot of a row that becomes visible takes over its running load", arguments: [1, 3, 20, 50])
  func takenOver(rowsAhead: Int) {
    let world = NumberWorld { .init(after: .seconds(1), $0.success()) }
    let screen = FollowingScreen(world, policy: RowsAhead(count: rowsAhead))
    world.time.run {
      // The first screen is complete before the list moves.
      await screen.scroll(to: 0)
      try? await world.timeline.sleep(for: .seconds(3))
      for step in 0...40 {
        await screen.scroll(to: Double(step) * 50, velocity: 150)
        try? await world.timeline.sleep(for: .milliseconds(330))
      }
    }
    #expect(world.origin.counters.cancelled == 0)
    #expect(paths(world).count == Set(paths(world)).count)
    #expect(Set(paths(world)).isSuperset(of: 0..<28))
  }

  @Test("the load of a row that leaves the screen is cancelled, even if the policy selects the same rows")
  func leavingRow() {
    let world = NumberWorld { .init(after: .seconds(10), $0.success()) }
    let screen = FollowingScreen(world, policy: CacheWindow())
    world.time.run {
      var running: [Int] = []
      for (offset, velocity) in [(0.0, 100.0), (50, 100), (50, 0), (5_000, 0)] {
        await screen.scroll(to: offset, velocity: velocity)
        running.append(await screen.running)
      }
      // Row 8; rows 8 and 9; row 8, which is visible; none.
      #expect(running == [1, 2, 1, 0])
    }
  }

  @Test("requests are created for rows that enter the window, and for all after the window was set directly")
  func requests() {
    let world = NumberWorld()
    let screen = FollowingScreen(world, policy: RowsAhead(count: 2))
    let rows = Shared<[Int]>([])
    world.time.run {
      for offset in [0.0, 0, 40, 0, 100] {
        await screen.move(to: offset) { row in rows.update { $0.append(row) } }
      }
      await screen.clear()
      await screen.move(to: 100) { row in rows.update { $0.append(row) } }
    }
    // Row 10 has no image, so it is asked again.
    #expect(rows.value == [8, 9, 10, 8, 10, 9, 10])
  }

  @Test("requests that change during an update are loaded in their newest version")
  func changingRequests() {
    let world = NumberWorld()
    let screen = FollowingScreen(world, policy: RowsAhead(count: 3))
    world.time.run { await screen.moveAndChange(to: 0) }
    #expect(paths(world) == [108, 109, 110])
    #expect(world.origin.counters.cancelled == 0)
  }

  @Test("the memory cache knows the position of the list and the row of each value")
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
    // By recency alone, the newest values would be kept, which are ahead of the screen.
    let rows = (0..<100).filter { world.loader.memory.peek(NumberRequest($0).key) != nil }
    #expect(rows.count == 8 && rows.allSatisfy { abs($0 - 54) <= 5 }, "\(rows)")
  }

  @Test("the load time is that of loads from the origin")
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

@Suite("Mean load time")
struct LoadPaceTests {
  @Test("the first load sets the mean, and each further one has a weight of an eighth")
  func mean() {
    var pace = LoadPace()
    pace.note(.milliseconds(80))
    #expect(pace.loadTime == .milliseconds(80))
    pace.note(.milliseconds(160))
    #expect(pace.loadTime == .milliseconds(90))
  }

  @Test("a cancelled load counts only if it took longer than the mean")
  func cancelled() {
    var pace = LoadPace()
    pace.note(.milliseconds(80))
    pace.note(atLeast: .milliseconds(70))
    #expect(pace.loadTime == .milliseconds(80))
    pace.note(atLeast: .milliseconds(160))
    #expect(pace.loadTime == .milliseconds(90))
  }
}
