internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Testing

@Suite("Slots for rows, with their pictures, in virtual time")
struct RowSlotsTests {
  private enum Note: Hashable, Sendable, CustomStringConvertible {
    case bound(Int, row: Int)
    case displayed(Int, row: Int, String)

    var description: String {
      switch self {
      case .bound(let slot, let row): "\(slot): row \(row)"
      case .displayed(let slot, let row, let text): "\(slot) shows \(text) for row \(row)"
      }
    }
  }

  /// A list of 60 rows of 100 px, whose pictures say their size and their row.
  private actor Screen {
    private let loader: ResourceLoader<RawDecoder>
    private var rows: RowSlots<RawDecoder>?
    private var size = "small"
    private(set) var notes: [Note] = []
    /// Where the list jumps while it is told something, one after the other.
    private var jumps: [Range<Int>] = []

    init(_ loader: ResourceLoader<RawDecoder>) { self.loader = loader }

    func begin(count: Int = 0) {
      rows = RowSlots(loader, count: count, policy: RowsAhead(count: 0)) { slot, row, state in
        self.note(.displayed(slot, row: row, Self.text(state)))
      } bind: { slot, row in
        self.note(.bound(slot, row: row))
      }
    }

    private func note(_ note: Note) {
      notes.append(note)
      if let next = jumps.popLast() { follow(next) }
    }

    var count: Int { rows?.count ?? 0 }
    var visible: [String] { rows.map { rows in rows.visible.map { Self.text(rows[$0]) } } ?? [] }
    var slots: [Int?] { rows.map { rows in rows.visible.map { rows.slot(of: $0) } } ?? [] }

    func follow(_ visible: Range<Int>) {
      let motion = ListMotion(
        EvenRows(count: 60, height: 100), viewport: Double(visible.count) * 100,
        offset: Double(visible.lowerBound) * 100)
      rows?.follow(motion) { [size] row in
        try? Request("http://origin/\(size)/\(row)", options: NoOptions())
      }
    }

    func follow(_ visible: Range<Int>, jumps: [Range<Int>]) {
      self.jumps = jumps
      follow(visible)
      self.jumps = []
    }

    func turn(count: Int?, size: String) {
      notes = []
      self.size = size
      rows?.invalidate(count: count)
    }

    func end() { rows = nil }

    private static func text(_ state: SlotState<[UInt8]>) -> String {
      switch state {
      case .shown(let bytes, _): String(decoding: bytes, as: UTF8.self)
      case .failed: "failed"
      case .loading, .preview: "loading"
      case .empty: "-"
      }
    }
  }

  private final class World: Sendable {
    let time = VirtualTime()
    let timeline: Timeline
    let transport: ScriptedTransport
    let loader: ResourceLoader<RawDecoder>

    init() {
      let timeline = time.timeline()
      self.timeline = timeline
      transport = ScriptedTransport(timeline: timeline) { request in
        let text = request.url.split(separator: "/").suffix(2).joined(separator: " ")
        return .init(
          after: .milliseconds(30),
          .success(TransportResponse(status: 200, body: Array(text.utf8), url: request.url)))
      }
      loader = ResourceLoader(
        bytes: ByteLoader(transport: transport, timeline: timeline), decoder: RawDecoder(),
        memory: MemoryCache(limit: 1 << 20))
    }

    func run<Value: Sendable>(
      count: Int = 0, _ body: @escaping @Sendable (Screen) async -> Value
    ) -> Value? {
      time.run { [time, loader] in
        let screen = Screen(loader)
        await screen.begin(count: count)
        let value = await body(screen)
        await screen.end()
        await time.standstill()
        return value
      }
    }
  }

  @Test("a slot is told its row before it shows anything for it")
  func binding() {
    let world = World()
    let notes = world.run { screen in
      await screen.follow(0..<2)
      await world.time.standstill()
      await screen.follow(1..<3)
      await world.time.standstill()
      await screen.follow(0..<2)
      return await screen.notes
    }
    #expect(
      notes == [
        .bound(0, row: 0), .displayed(0, row: 0, "loading"), .bound(1, row: 1),
        .displayed(1, row: 1, "loading"), .displayed(0, row: 0, "small 0"), .displayed(1, row: 1, "small 1"),
        .bound(0, row: 2), .displayed(0, row: 2, "loading"), .displayed(0, row: 2, "small 2"),
        .bound(0, row: 0), .displayed(0, row: 0, "small 0"),
      ])
  }

  @Test("of a number of slots each is taken before one is used again, and more are made when they are needed")
  func fixed() {
    let slots = World().run(count: 4) { screen in
      var slots: [[Int?]] = []
      for visible in [0..<3, 1..<4, 0..<3, 3..<6, 3..<8] {
        await screen.follow(visible)
        slots.append(await screen.slots)
        #expect(await screen.count == max(4, visible.count))
      }
      return slots
    }
    #expect(slots == [[0, 1, 2], [1, 2, 3], [0, 1, 2], [3, 0, 1], [3, 0, 1, 2, 4]])
  }

  @Test("fewer slots than none are none")
  func negative() {
    let counts = World().run(count: -1) { screen in
      var counts = [await screen.count]
      await screen.follow(0..<2)
      counts.append(await screen.count)
      await screen.turn(count: -5, size: "large")
      counts.append(await screen.count)
      return counts
    }
    #expect(counts == [0, 2, 0])
  }

  @Test("turned, all slots are given back, loads too, and as many take their place as are needed")
  func turning() {
    let world = World()
    world.run(count: 7) { screen in
      await screen.follow(0..<3)
      await world.time.standstill()
      await screen.follow(0..<6)
      try? await world.timeline.sleep(for: .milliseconds(10))
      await screen.turn(count: 4, size: "large")
      #expect(
        await screen.notes == (0..<6).map { .displayed($0, row: $0, "-") })
      #expect(await screen.count == 4)
      #expect(await screen.slots == [])
      await screen.follow(0..<3)
      #expect(await screen.slots == [0, 1, 2])
      await world.time.standstill()
      #expect(await screen.visible == ["large 0", "large 1", "large 2"])
      #expect(await screen.notes.contains(.bound(0, row: 0)))
      await screen.turn(count: nil, size: "small")
      #expect(await screen.count == 4)
      await screen.turn(count: 9, size: "small")
      #expect(await screen.count == 9)
      await screen.follow(0..<8)
      await world.time.standstill()
      #expect(await screen.visible == (0..<8).map { "small \($0)" })
    }
    #expect(world.transport.counters.cancelled == 3)
    #expect(world.transport.running == 0)
  }

  @Test(
    "whoever moves the list while he is told something sees no wrong picture, and each that is visible",
    arguments: 0..<100)
  func jumping(seed: Int) {
    let world = World()
    world.run(count: seed % 5) { screen in
      var random = Seeded(seed)
      func range() -> Range<Int> {
        let first = Int.random(in: 0..<20, using: &random)
        return first..<first + Int.random(in: 1..<6, using: &random)
      }
      for _ in 0..<30 {
        await screen.follow(range(), jumps: (0..<Int.random(in: 0..<4, using: &random)).map { _ in range() })
        if Bool.random(using: &random) { await world.time.standstill() }
      }
      let visible = range()
      await screen.follow(visible)
      await world.time.standstill()
      #expect(await screen.visible == visible.map { "small \($0)" }, "seed \(seed)")
      for case .displayed(let slot, let row, let text) in await screen.notes where text.contains("small") {
        #expect(text == "small \(row)", "slot \(slot), seed \(seed)")
      }
    }
  }
}
