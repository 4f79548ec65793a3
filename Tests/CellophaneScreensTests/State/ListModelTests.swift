internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("A list with pictures, in virtual time")
struct ListModelTests {
  private typealias Model = ListModel<Int, Int, RawDecoder>

  /// A list of rows of 100 px, eight of which fill the screen; the picture of an item is its number.
  private actor Screen {
    /// What is done once when a slot becomes empty.
    private final class Hook {
      var body: (() -> Void)?
    }

    private var model: Model?
    private let hook = Hook()
    private let asked = Shared(0)
    private let wrongs = Shared<[String]>([])

    init(_ world: World, policy: any PrefetchPolicy) {
      let pages = PagingModel<Int, Int>(world.pages, distance: 5, timeline: world.timeline)
      let rows = RowSlots(world.loader, policy: policy) { [wrongs, hook] slot, row, state in
        if case .empty = state, let body = hook.body {
          hook.body = nil
          body()
        }
        guard case .shown(let bytes, _) = state else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        if text != "\(row)" { wrongs.update { $0.append("slot \(slot) shows \(text) for row \(row)") } }
      }
      model = Model(pages: pages, rows: rows) { [asked] item in
        asked.update { $0 += 1 }
        return try? Request("http://origin/\(item)", options: NoOptions())
      }
    }

    /// Pictures that were shown for another row.
    var wrong: [String] { wrongs.value }
    /// How often rows were asked what they want.
    var requestsAsked: Int { asked.value }
    var itemCount: Int { model?.pages.state.items.count ?? 0 }
    var slotCount: Int { model?.rows.count ?? 0 }

    /// What the visible rows show.
    var visible: [String] {
      guard let rows = model?.rows else { return [] }
      return rows.visible.map { row in
        switch rows[row] {
        case .shown(let bytes, _): String(decoding: bytes, as: UTF8.self)
        case .failed: "failed"
        case .loading, .preview: "loading"
        case .empty: "-"
        }
      }
    }

    func scroll(to offset: Double, velocity: Double = 0, rows: Int? = nil) {
      let layout = EvenRows(count: rows ?? itemCount, height: 100)
      model?.scroll(
        ListMotion(
          layout, viewport: 800, offset: offset, velocity: velocity, fling: Fling(.ios, speed: abs(velocity)))
      )
    }

    /// Scrolls to `offset`, and to `other` when a slot becomes empty on the way.
    func scroll(to offset: Double, andWhenEmptied other: Double) -> Range<Int>? {
      hook.body = { [unowned self] in assumeIsolated { $0.scroll(to: other) } }
      scroll(to: offset)
      return hook.body == nil ? model?.rows.visible : nil
    }

    func refresh() { model?.refresh() }
    func retry(_ row: Int) { model?.rows.retry(row) }

    func release() -> Bool {
      weak let trace = model
      model = nil
      return trace == nil
    }
  }

  private final class World: Sendable {
    let time = VirtualTime()
    let timeline: Timeline
    let transport: ScriptedTransport
    let loader: ResourceLoader<RawDecoder>
    let pages: ScriptedPages
    let fails = Shared<Set<String>>([])

    init(sizes: [Int], delay: Duration = .milliseconds(30)) {
      let timeline = time.timeline()
      self.timeline = timeline
      transport = ScriptedTransport(timeline: timeline) { [fails] request in
        let name = String(request.url.split(separator: "/").last ?? "")
        if fails.value.contains(name) {
          return .init(after: delay, .failure(LoadError(.status, "no \(name)")))
        }
        return .init(
          after: delay, .success(TransportResponse(status: 200, body: Array(name.utf8), url: request.url)))
      }
      loader = ResourceLoader(
        bytes: ByteLoader(transport: transport, timeline: timeline), decoder: RawDecoder(),
        memory: MemoryCache(limit: 1 << 20))
      pages = ScriptedPages(timeline, sizes: sizes)
    }
  }

  private func run<Value: Sendable>(
    _ world: World, policy: any PrefetchPolicy = LandingAware(),
    _ body: @escaping @Sendable (Screen, (Int) async -> Void) async -> Value
  ) -> Value? {
    world.time.run {
      let screen = Screen(world, policy: policy)
      let value = await body(screen) { try? await world.timeline.sleep(for: .milliseconds($0)) }
      await world.time.quiescence()
      #expect(await screen.wrong == [])
      #expect(await screen.release())
      await world.time.quiescence()
      #expect(world.transport.running == 0 && world.pages.running == 0)
      #expect(world.transport.counters.duplicates == 0)
      return value
    }
  }

  @Test("items come, then their pictures, and what comes next is loaded ahead")
  func begins() {
    let world = World(sizes: [20, 20])
    let visible = run(world, policy: RowsAhead(count: 4)) { screen, pause in
      await screen.scroll(to: 0)
      await pause(100)
      await screen.scroll(to: 0)
      let loading = await screen.visible
      await pause(200)
      return [loading, await screen.visible]
    }
    #expect(visible == [Array(repeating: "loading", count: 8), (0..<8).map { "\($0)" }])
    #expect(world.transport.order.count == 12)
    #expect(world.pages.pagesAsked == [0])
  }

  @Test("placeholders get their pictures when their items come")
  func placeholders() {
    let visible = run(World(sizes: [20])) { screen, pause in
      await screen.scroll(to: 0, rows: 20)
      let empty = await screen.visible
      await pause(60)
      await screen.scroll(to: 0, rows: 20)
      await pause(200)
      return [empty, await screen.visible]
    }
    #expect(visible == [Array(repeating: "-", count: 8), (0..<8).map { "\($0)" }])
  }

  @Test(
    "flings to the end and back: each page once, never a wrong picture, a frame of the same rows asks nothing",
    arguments: 0..<10)
  func flings(seed: Int) {
    let world = World(sizes: Array(repeating: 25, count: 12))
    let left = run(world) { screen, pause in
      var random = SplitMix64(seed: seed)
      var offset = 0.0
      for _ in 0..<120 {
        let velocity = Double.random(in: -4_000..<9_000, using: &random)
        for _ in 0..<12 {
          offset = min(max(0, offset + velocity / 60), Double(await screen.itemCount) * 100)
          await screen.scroll(to: offset, velocity: velocity)
          await pause(16)
        }
      }
      await screen.scroll(to: offset)
      await pause(2_000)
      await screen.scroll(to: offset)
      let asked = await screen.requestsAsked
      for _ in 0..<100 { await screen.scroll(to: offset) }
      #expect(await screen.requestsAsked == asked)
      #expect(await screen.slotCount <= 9)
      return await screen.visible.filter { Int($0) == nil }
    }
    #expect(left == [])
    #expect(world.pages.pagesAsked == Array(0..<world.pages.pagesAsked.count), "seed \(seed)")
    #expect(world.pages.pagesAsked.count > 6, "seed \(seed): too little to prove anything")
  }

  @Test("a picture that failed is retried by itself")
  func failing() {
    let world = World(sizes: [20])
    world.fails.value = ["3"]
    let visible = run(world) { screen, pause in
      await screen.scroll(to: 0)
      await pause(60)
      await screen.scroll(to: 0)
      await pause(200)
      let failed = await screen.visible[3]
      world.fails.value = []
      await screen.retry(3)
      await pause(20_000)
      return [failed, await screen.visible[3]]
    }
    #expect(visible == ["failed", "3"])
  }

  @Test("beginning anew asks again for what the rows mean then")
  func refreshing() {
    let world = World(sizes: [20, 20])
    let visible = run(world) { screen, pause in
      await screen.scroll(to: 0)
      await pause(60)
      await screen.scroll(to: 0)
      await pause(200)
      let before = await screen.requestsAsked
      await screen.refresh()
      await pause(40)
      await screen.scroll(to: 0)
      #expect(await screen.requestsAsked == before)
      await pause(60)
      await screen.scroll(to: 0)
      #expect(await screen.requestsAsked > before)
      return await screen.visible
    }
    #expect(visible == (0..<8).map { "\($0)" })
  }

  @Test("who moves the list while it hears that the items are others has the last word")
  func movedMeanwhile() {
    let world = World(sizes: [20, 20])
    let visible = run(world) { screen, pause in
      await screen.scroll(to: 0)
      await pause(60)
      await screen.scroll(to: 0)
      await pause(200)
      await screen.refresh()
      await pause(100)
      let rows = await screen.scroll(to: 0, andWhenEmptied: 500)
      #expect(rows == 5..<13)
      await pause(200)
      return await screen.visible
    }
    #expect(visible == (5..<13).map { "\($0)" })
  }

  @Test("its end cancels what runs, before the items, with pictures on their way, and after")
  func release() {
    for milliseconds in [10, 100, 5_000] {
      let world = World(sizes: [20, 20], delay: .seconds(1))
      world.time.run {
        let screen = Screen(world, policy: RowsAhead(count: 4))
        await screen.scroll(to: 0)
        try? await world.timeline.sleep(for: .milliseconds(min(60, milliseconds)))
        await screen.scroll(to: 0)
        try? await world.timeline.sleep(for: .milliseconds(max(0, milliseconds - 60)))
        #expect(await screen.release())
      }
      #expect(world.transport.running == 0 && world.pages.running == 0)
      #expect(
        world.time.now.nanoseconds <= milliseconds * 1_000_000, "something went on after \(milliseconds) ms")
      #expect((world.transport.counters.cancelled > 0) == (milliseconds == 100))
    }
  }
}
