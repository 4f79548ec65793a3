internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("A list with images, in virtual time")
struct ListModelTests {
  private typealias Model = ListModel<Int, Int, RawDecoder>

  /// A list with rows of 100 px and eight visible rows. The image of an item contains its number.
  private actor Screen {
    /// An action that runs once, when a slot becomes empty.
    private final class Hook {
      var body: (() -> Void)?
    }

    private var model: Model?
    private let hook = Hook()
    private let calls = Shared(0)
    private let mismatches = Shared<[String]>([])

    init(_ world: World, policy: any PrefetchPolicy) {
      let pages = PagingModel<Int, Int>(world.pages, distance: 5, timeline: world.timeline)
      let rows = RowSlots(world.loader, policy: policy) { [mismatches, hook] slot, row, state in
        if case .empty = state, let body = hook.body {
          hook.body = nil
          body()
        }
        guard case .shown(let bytes, _) = state else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        if text != "\(row)" {
          mismatches.update { $0.append("slot \(slot) shows \(text) for row \(row)") }
        }
      }
      model = Model(pages: pages, rows: rows) { [calls] item in
        calls.update { $0 += 1 }
        return try? Request("http://origin/\(item)", options: NoOptions())
      }
    }

    /// The images that were displayed for another row.
    var wrongImages: [String] { mismatches.value }
    /// The number of calls of the request closure.
    var requestCalls: Int { calls.value }
    var itemCount: Int { model?.pages.state.items.count ?? 0 }
    var slotCount: Int { model?.rows.count ?? 0 }

    /// The displayed states of the visible rows, as text.
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

    /// Scrolls to `offset`, and to `other` as soon as a slot becomes empty. Returns the visible rows, or nil if no
    /// slot became empty.
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

  private struct World: TestWorld {
    let base = LoaderWorld(cacheLimit: nil)
    let loader: ResourceLoader<RawDecoder>
    let pages: ScriptedPages

    init(sizes: [Int], delay: Duration = .milliseconds(30)) {
      loader = ResourceLoader(
        bytes: base.bytes, decoder: RawDecoder(), memory: MemoryCache(limit: 1 << 20))
      pages = ScriptedPages(base.timeline, sizes: sizes)
      origin.script("*") { .ok(String($0.url.split(separator: "/").last ?? "")).after(delay) }
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
      #expect(await screen.wrongImages == [])
      #expect(await screen.release())
      await world.time.quiescence()
      #expect(world.origin.running == 0 && world.pages.running == 0)
      #expect(world.origin.counters.duplicates == 0)
      return value
    }
  }

  @Test("items arrive, then their images, and the next rows are prefetched")
  func firstPage() {
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
    #expect(world.origin.order.count == 12)
    #expect(world.pages.requestedPages == [0])
  }

  @Test("placeholders get their images when their items arrive")
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
    "flings load each page once and display no wrong image; unchanged frames request nothing",
    arguments: 0..<10)
  func flings(seed: Int) {
    let world = World(sizes: Array(repeating: 25, count: 12))
    let missing = run(world) { screen, pause in
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
      let calls = await screen.requestCalls
      for _ in 0..<100 { await screen.scroll(to: offset) }
      #expect(await screen.requestCalls == calls)
      #expect(await screen.slotCount <= 9)
      return await screen.visible.filter { Int($0) == nil }
    }
    #expect(missing == [])
    #expect(world.pages.requestedPages == Array(0..<world.pages.requestedPages.count), "seed \(seed)")
    #expect(world.pages.requestedPages.count > 6, "seed \(seed): too few pages for a meaningful test")
  }

  @Test("a failed image can be retried alone")
  func failing() {
    let world = World(sizes: [20])
    world.origin.script("http://origin/3", .failure(.status, isRetryable: false).after(.milliseconds(30)))
    let visible = run(world) { screen, pause in
      await screen.scroll(to: 0)
      await pause(60)
      await screen.scroll(to: 0)
      await pause(200)
      let failed = await screen.visible[3]
      world.origin.script("http://origin/3", .ok("3").after(.milliseconds(30)))
      await screen.retry(3)
      await pause(20_000)
      return [failed, await screen.visible[3]]
    }
    #expect(visible == ["failed", "3"])
  }

  @Test("a refresh requests the images of the new items")
  func refreshing() {
    let world = World(sizes: [20, 20])
    let visible = run(world) { screen, pause in
      await screen.scroll(to: 0)
      await pause(60)
      await screen.scroll(to: 0)
      await pause(200)
      let before = await screen.requestCalls
      await screen.refresh()
      await pause(40)
      await screen.scroll(to: 0)
      #expect(await screen.requestCalls == before)
      await pause(60)
      await screen.scroll(to: 0)
      #expect(await screen.requestCalls > before)
      return await screen.visible
    }
    #expect(visible == (0..<8).map { "\($0)" })
  }

  @Test("a scroll from a display callback of a refresh takes effect")
  func scrollDuringRefresh() {
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

  @Test("releasing the model cancels its work, before the items, during image loads and after")
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
      #expect(world.origin.running == 0 && world.pages.running == 0)
      #expect(
        world.time.now.nanoseconds <= milliseconds * 1_000_000, "work continued after \(milliseconds) ms")
      #expect((world.origin.counters.cancelled > 0) == (milliseconds == 100))
    }
  }
}
