internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// What a screen was told.
enum RowNote: Hashable, Sendable, CustomStringConvertible {
  case bound(Int, row: Int)
  case displayed(Int, row: Int, String)

  var description: String {
    switch self {
    case .bound(let slot, let row): "\(slot): row \(row)"
    case .displayed(let slot, let row, let text): "\(slot) shows \(text) for row \(row)"
    }
  }
}

/// What a screen does while it is told or asked something.
enum RowMove: Sendable {
  case follow(Range<Int>)
  /// And follow the list at once.
  case invalidate(Int?, then: Range<Int>? = nil)
  case news
}

enum RowOccasion: CaseIterable, Sendable { case bind, display, request }

/// A list of 60 rows of 100 px, whose pictures say their size and their row.
actor RowScreen {
  private let loader: ResourceLoader<RawDecoder>
  private var rows: RowSlots<RawDecoder>?
  private(set) var size = "small"
  private(set) var notes: [RowNote] = []
  /// Which rows were asked what they ask for.
  private(set) var asked: [Int] = []
  /// What was shown for a row that it has not, or before a slot was told of its row.
  private(set) var faults: [RowNote] = []
  private var told: [Int: Int] = [:]
  /// What is done while somebody is told or asked something, one after the other, the last first.
  private var moves: [RowMove] = []
  private var tells: Set<RowOccasion> = []

  init(_ loader: ResourceLoader<RawDecoder>) { self.loader = loader }

  func begin(count: Int = 0, ahead: Int = 0) {
    rows = RowSlots(loader, count: count, policy: RowsAhead(count: ahead)) { slot, row, state in
      self.note(.displayed(slot, row: row, Self.text(state)))
    } bind: { slot, row in
      self.note(.bound(slot, row: row))
    }
  }

  private func note(_ note: RowNote) {
    notes.append(note)
    switch note {
    case .bound(let slot, let row):
      told[slot] = row
      move(on: .bind)
    case .displayed(let slot, let row, let text):
      if text.last?.isNumber == true, text != "\(size) \(row)" || told[slot] != row { faults.append(note) }
      move(on: .display)
    }
  }

  private func move(on occasion: RowOccasion) {
    guard tells.contains(occasion), let move = moves.popLast() else { return }
    switch move {
    case .follow(let visible): follow(visible)
    case .invalidate(let count, let visible):
      size = size == "small" ? "large" : "small"
      rows?.invalidate(count: count)
      if let visible { follow(visible) }
    case .news: rows?.setNeedsRequests()
    }
  }

  var count: Int { rows?.count ?? 0 }
  var visible: [String] { rows.map { rows in rows.visible.map { Self.text(rows[$0]) } } ?? [] }
  var slots: [Int?] { rows.map { rows in rows.visible.map { rows.slot(of: $0) } } ?? [] }

  func follow(_ visible: Range<Int>) {
    let motion = ListMotion(
      EvenRows(count: 60, height: 100), viewport: Double(visible.count) * 100,
      offset: Double(visible.lowerBound) * 100)
    rows?.follow(motion) { [size] row in
      asked.append(row)
      move(on: .request)
      return try? Request("http://origin/\(size)/\(row)", options: NoOptions())
    }
  }

  /// Follows the list, and does `moves` on these occasions.
  func follow(_ visible: Range<Int>, on occasions: Set<RowOccasion>, moves: [RowMove]) {
    (self.moves, tells) = (moves.reversed(), occasions)
    follow(visible)
    tells = []
  }

  /// Gives all slots back, and does `moves` when a display hears of it.
  func turn(count: Int?, size: String, moves: [RowMove]) {
    (self.moves, tells) = (moves.reversed(), [.display])
    turn(count: count, size: size)
    tells = []
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

final class RowWorld: Sendable {
  let time = VirtualTime()
  let timeline: Timeline
  let transport: ScriptedTransport
  let loader: ResourceLoader<RawDecoder>
  /// What was transferred, or begun to be.
  let transfers = Shared<Set<String>>([])

  init() {
    let timeline = time.timeline()
    self.timeline = timeline
    transport = ScriptedTransport(timeline: timeline) { [transfers] request in
      let text = request.url.split(separator: "/").suffix(2).joined(separator: " ")
      transfers.update { $0.insert(text) }
      return .init(
        after: .milliseconds(30),
        .success(TransportResponse(status: 200, body: Array(text.utf8), url: request.url)))
    }
    loader = ResourceLoader(
      bytes: ByteLoader(transport: transport, timeline: timeline), decoder: RawDecoder(),
      memory: MemoryCache(limit: 1 << 20))
  }

  @discardableResult
  func run<Value: Sendable>(
    count: Int = 0, ahead: Int = 0, _ body: @escaping @Sendable (RowScreen) async -> Value
  ) -> Value? {
    let value = time.run { [time, loader] in
      let screen = RowScreen(loader)
      await screen.begin(count: count, ahead: ahead)
      let value = await body(screen)
      await screen.end()
      await time.quiescence()
      return value
    }
    if value == nil { Issue.record("what the screen does never ended") }
    return value
  }
}
