internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("States of a store as a sequence, in virtual time")
struct StateSequenceTests {
  /// An actor that owns a store and reads its states.
  private actor Counter {
    private var store: Store<Int, Int>?
    private(set) var seen: [Int] = []
    private(set) var hasEnded = false

    init(_ timeline: Timeline) {
      store = Store(0, timeline: timeline) { state, step in
        state += step; return .none
      }
    }

    func send(_ step: Int) { store?.send(step) }
    func release() { store = nil }

    func follow() async {
      guard let states = store?.states else { return }
      for await state in states { seen.append(state) }
      hasEnded = true
    }
  }

  private let time = VirtualTime()

  @Test("an actor sees the current state and each later one, until the store is released")
  func states() {
    let timeline = time.timeline()
    let counter = Counter(timeline)
    let result =
      time.run { () -> (seen: [Int], hasEnded: Bool) in
        await counter.send(1)
        timeline.spawn { await counter.follow() }
        for step in 2...4 {
          try? await timeline.sleep(for: .seconds(1))
          await counter.send(step)
        }
        try? await timeline.sleep(for: .seconds(1))
        await counter.release()
        try? await timeline.sleep(for: .seconds(1))
        return (await counter.seen, await counter.hasEnded)
      }
    #expect(result?.seen == [1, 3, 6, 10] && result?.hasEnded == true)
  }

  @Test("a slow reader gets the newest state, and each reader gets all that it waits for")
  func readers() {
    let timeline = time.timeline()
    let counter = Counter(timeline)
    let seen = time.run {
      timeline.spawn { await counter.follow() }
      timeline.spawn { await counter.follow() }
      try? await timeline.sleep(for: .seconds(1))
      await counter.send(5)
      try? await timeline.sleep(for: .seconds(1))
      return await counter.seen
    }
    #expect(seen == [0, 0, 5, 5])
  }

  @Test("a reader that is cancelled ends, and the store goes on")
  func cancelled() {
    let timeline = time.timeline()
    let counter = Counter(timeline)
    let seen = time.run {
      let reader = timeline.spawn { await counter.follow() }
      try? await timeline.sleep(for: .seconds(1))
      reader.cancel()
      await reader.value
      for _ in 0..<3 { await counter.send(1) }
      return await counter.seen
    }
    #expect(seen == [0])
  }

  /// An actor that shows the items of a list.
  private actor ListScreen {
    private let pages: PagingModel<Int, Int>
    private(set) var counts: [Int] = []

    init(_ source: ScriptedPages, _ timeline: Timeline) {
      pages = PagingModel(source, distance: 5, timeline: timeline)
    }

    func reach(_ end: Int) { pages.loadIfNeeded(upTo: end) }
    func follow() async {
      for await state in pages.states where counts.last != state.items.count {
        counts.append(state.items.count)
      }
    }
  }

  @Test("an actor learns that items came, without asking")
  func pages() {
    let timeline = time.timeline()
    let screen = ListScreen(ScriptedPages(timeline, sizes: [10, 10, 10]), timeline)
    let counts = time.run {
      timeline.spawn { await screen.follow() }
      await screen.reach(1)
      try? await timeline.sleep(for: .seconds(5))
      await screen.reach(10)
      try? await timeline.sleep(for: .seconds(5))
      return await screen.counts
    }
    #expect(counts == [0, 10, 20])
  }
}
