internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneScreens/CellophaneScreens.docc/TestingWithoutSleeping.md.

struct SlowArchive: Archive {
  let timeline: Timeline

  /// Page 1 takes one second, page 2 two seconds, and so on.
  func text(of page: Int) async throws -> String {
    try await timeline.sleep(for: .seconds(page))
    return "page \(page)"
  }
}

@Suite("Each layer, without sleeping")
struct LayerTests {
  @Test func input() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let searches = time.run {
      let (keys, key) = AsyncStream.makeStream(of: String.self)
      timeline.spawn {
        for text in ["H", "He", "Hel"] {
          key.yield(text)
          try? await timeline.sleep(for: .milliseconds(100))
        }
        key.finish()
      }
      var searches: [String] = []
      for await text in keys.debounce(for: .milliseconds(300), on: timeline) { searches.append(text) }
      return searches
    }
    #expect(searches == ["Hel"])
  }

  private actor Reader {
    private let latest: LatestTask
    private let archive: SlowArchive
    private(set) var shown: [String] = []

    init(_ timeline: Timeline) {
      latest = LatestTask(timeline: timeline)
      archive = SlowArchive(timeline: timeline)
    }

    func open(_ page: Int) {
      latest.run {
        try await self.archive.text(of: page)
      } onResult: { result in
        self.shown.append((try? result.get()) ?? "failed")
      }
    }
  }

  @Test func logic() {
    let time = VirtualTime()
    let shown = time.run {
      let reader = Reader(time.timeline())
      await reader.open(60)
      await reader.open(1)
      await time.quiescence()
      return await reader.shown
    }
    // The minute of the first page has not passed, not even in virtual time.
    #expect(shown == ["page 1"] && time.now.nanoseconds == 1_000_000_000)
  }

  private actor Shop {
    let basket: Store<Basket, BasketAction>

    init(_ timeline: Timeline) {
      basket = CellophaneScreensTests.basket(on: timeline) { _ in
        try? await timeline.sleep(for: .milliseconds(50))
      }
      basket.startRecording()
    }

    func add(_ item: String) { basket.send(.add(item)) }

    /// The recorded states.
    var states: [Basket] { basket.stopRecording().map(basket.replay) ?? [] }
  }

  @Test func state() {
    let time = VirtualTime()
    let states = time.run {
      let shop = Shop(time.timeline())
      await shop.add("apple")
      await shop.add("pear")
      await time.quiescence()
      return await shop.states
    }
    #expect(states?.map(\.items.count) == [1, 2, 2])
    #expect(states?.map(\.isSaved) == [false, false, true])
  }
}
