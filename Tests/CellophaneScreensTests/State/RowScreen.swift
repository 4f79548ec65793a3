internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A callback that a screen received.
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

/// An action of a screen within a callback.
enum RowMove: Sendable {
  case follow(Range<Int>)
  /// Invalidates the slots, and then follows a motion if one is given.
  case invalidate(Int?, then: Range<Int>? = nil)
  case setNeedsRequests
}

/// The callbacks of a screen.
enum RowCallback: CaseIterable, Sendable { case bind, display, request }

/// A list of 60 rows of 100 px. Each image contains its size and its row.
actor RowScreen {
  private let loader: ResourceLoader<RawDecoder>
  private var rows: RowSlots<RawDecoder>?
  private(set) var size = "small"
  private(set) var notes: [RowNote] = []
  /// The rows that were asked for their requests.
  private(set) var requested: [Int] = []
  /// The images that were displayed for another row, or before the binding was reported.
  private(set) var faults: [RowNote] = []
  private var reported: [Int: Int] = [:]
  /// The remaining actions, in reverse order. Each callback in `triggers` performs one.
  private var moves: [RowMove] = []
  private var triggers: Set<RowCallback> = []

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
      reported[slot] = row
      move(on: .bind)
    case .displayed(let slot, let row, let text):
      if text.last?.isNumber == true, text != "\(size) \(row)" || reported[slot] != row {
        faults.append(note)
      }
      move(on: .display)
    }
  }

  private func move(on callback: RowCallback) {
    guard triggers.contains(callback), let move = moves.popLast() else { return }
    switch move {
    case .follow(let visible): follow(visible)
    case .invalidate(let count, let visible):
      size = size == "small" ? "large" : "small"
      rows?.invalidate(count: count)
      if let visible { follow(visible) }
    case .setNeedsRequests: rows?.setNeedsRequests()
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
      requested.append(row)
      move(on: .request)
      return try? Request("http://origin/\(size)/\(row)", options: NoOptions())
    }
  }

  /// Follows a motion, and performs `moves` within these callbacks.
  func follow(_ visible: Range<Int>, on callbacks: Set<RowCallback>, moves: [RowMove]) {
    (self.moves, triggers) = (moves.reversed(), callbacks)
    follow(visible)
    triggers = []
  }

  /// Invalidates all slots, and performs `moves` within their display callbacks.
  func rotate(count: Int?, size: String, moves: [RowMove]) {
    (self.moves, triggers) = (moves.reversed(), [.display])
    rotate(count: count, size: size)
    triggers = []
  }

  /// Invalidates all slots for images of another size.
  func rotate(count: Int?, size: String) {
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

/// A loader with scripted images, for a `RowScreen` in virtual time.
struct RowWorld: TestWorld {
  let base = LoaderWorld(cacheLimit: nil)
  let loader: ResourceLoader<RawDecoder>
  /// The sizes and rows of all transfers that started.
  var transfers: Set<String> { Set(origin.order.map(Self.text)) }

  init() {
    loader = ResourceLoader(
      bytes: base.bytes, decoder: RawDecoder(), memory: MemoryCache(limit: 1 << 20))
    origin.script("*") { .ok(Self.text($0.url)).after(.milliseconds(30)) }
  }

  /// The size and the row in `url`.
  private static func text(_ url: String) -> String {
    url.split(separator: "/").suffix(2).joined(separator: " ")
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
    if value == nil { Issue.record("the actions of the screen never ended") }
    return value
  }
}
