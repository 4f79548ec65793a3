public import Cellophane

/// The pictures of a list's rows: slots for those that are visible, and what is about to be, loaded ahead.
///
/// It is told how the list moves, ``follow(_:isolation:request:)``. Slots are numbered from 0 and used again, like the cells of a
/// list: one that has been out of sight for longest takes the next row that comes in. What `cellophane simulate` measures
/// and what `cellophane browse` shows goes through it.
///
/// Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other, and displays in its isolation. When it
/// goes, what loads is cancelled.
public final class RowSlots<Decoder: ResourceDecoder> {
  /// What a row asks for.
  public typealias Request = Cellophane.Request<Decoder.Options>
  /// What a slot shows.
  public typealias State = SlotState<Decoder.Value>

  private let prefetcher: Prefetcher<Decoder>
  private let board: RowBoard
  private let makeSlot: (_ number: Int) -> Slot<Decoder>
  private let bind: (_ slot: Int, _ row: Int) -> Void
  private var slots: [Slot<Decoder>] = []

  /// Slots that stand for nothing yet.
  ///
  /// - Parameters:
  ///   - count: How many slots there are from the start, each of which is taken before one is used again; more are made
  ///     when more rows are visible. With one to spare, a row that was just out of sight comes back to its slot.
  ///   - policy: Says which rows are loaded ahead; see `Prefetcher`.
  ///   - prefetching: What loading ahead may use.
  ///   - display: Called with each new state of a slot, and with the row that it stands for, in the isolation of the caller
  ///     of ``follow(_:isolation:request:)``. A slot that comes to stand for another row which asks for the same has no new
  ///     state.
  ///   - bind: Called when a slot comes to stand for another row, and for any row after
  ///     ``invalidate(count:isolation:)``, before it displays anything for it: the time to set the text of a reused cell.
  public init(
    _ loader: ResourceLoader<Decoder>, count: Int = 0, policy: any PrefetchPolicy = LandingAware(),
    prefetching: Prefetcher<Decoder>.Configuration = Prefetcher.Configuration(),
    placeholder: Slot<Decoder>.Placeholder = .blank, showsPreviews: Bool = false,
    display: @escaping (_ slot: Int, _ row: Int, State) -> Void = { _, _, _ in },
    bind: @escaping (_ slot: Int, _ row: Int) -> Void = { _, _ in }
  ) {
    let board = RowBoard(count: count)
    self.board = board
    self.bind = bind
    prefetcher = Prefetcher(loader, policy: policy, configuration: prefetching)
    makeSlot = { slot in
      Slot(loader, placeholder: placeholder, showsPreviews: showsPreviews) { state in
        board.note(isLoading: state.isLoading, in: slot)
        if let row = board.bindings.rows[slot] { display(slot, row, state) }
      }
    }
    makeSlots()
  }

  /// How many slots there are.
  public var count: Int { board.bindings.rows.count }

  /// The rows that were visible last.
  public var visible: Range<Int> { board.bindings.visible }

  /// The slot that stands for `row`, if there is one. O(1).
  public func slot(of row: Int) -> Int? { board.bindings.slot(of: row) }

  /// What is shown for `row`; empty when it has no slot. O(1).
  public subscript(row: Int) -> State { slot(of: row).map { slots[$0].state } ?? .empty }

  /// The list moves like this now: gives slots to the rows that came in, says anew how urgent those are that wait, and loads
  /// what is about to come. To be called with every change of the offset, and when a finger touches the list or leaves it.
  /// O(visible rows) while some come in or wait for what they ask, else what the policy takes.
  ///
  /// - Parameter request: What a row asks for; nil for one without a picture, or whose item is not there yet. Its priority is
  ///   set here.
  public func follow(
    _ motion: ListMotion, isolation: isolated any Actor = #isolation, request: (_ row: Int) -> Request?
  ) {
    let changes = board.show(motion.visible)
    if slots.count < count { makeSlots() }
    for change in changes where stands(change) {
      bind(change.slot, change.row)
      // Whoever is told may move the list.
      guard stands(change) else { continue }
      ask(for: change.row, in: change.slot, motion, request, isolation: isolation)
    }
    if board.hasNews || board.loading > 0 { askAgain(motion, request, isolation: isolation) }
    prefetcher.follow(motion, isolation: isolation, request: request)
  }

  /// Loads the request of `row` once more, when its load failed.
  public func retry(_ row: Int, isolation: isolated any Actor = #isolation) {
    if let slot = slot(of: row) { slots[slot].retry(isolation: isolation) }
  }

  /// Rows that had nothing to ask for may have now: the next ``follow(_:isolation:request:)`` asks them again.
  public func setNeedsRequests() { board.hasNews = true }

  /// Rows mean other things than before, or have another size: gives all slots back. The next
  /// ``follow(_:isolation:request:)`` asks for what is visible.
  ///
  /// - Parameter count: How many slots there are from now on, when more or fewer rows are visible, as on a screen that was
  ///   turned; nil for as many as before.
  public func invalidate(count: Int? = nil, isolation: isolated any Actor = #isolation) {
    for slot in slots where slot.request != nil { slot.show(nil, isolation: isolation) }
    prefetcher.show([], visible: [], isolation: isolation)
    board.removeAll(count: count)
    slots.removeLast(max(0, slots.count - self.count))
    makeSlots()
  }

  /// As many as there are numbers.
  private func makeSlots() {
    while slots.count < count { slots.append(makeSlot(slots.count)) }
  }

  private func stands(_ change: RowBindings.Change) -> Bool { slot(of: change.row) == change.slot }

  private func ask(
    for row: Int, in slot: Int, _ motion: ListMotion, _ request: (_ row: Int) -> Request?,
    isolation: isolated any Actor
  ) {
    let asked = request(row)
    // Whoever was asked may have moved the list.
    guard self.slot(of: row) == slot else { return }
    guard var request = asked else {
      board.begin(slot, priority: nil)
      if slots[slot].request != nil { slots[slot].show(nil, isolation: isolation) }
      return
    }
    request.priority = prefetcher.priority(ofVisible: row, in: motion)
    board.begin(slot, priority: request.priority)
    slots[slot].show(request, isolation: isolation)
  }

  /// Asks for rows whose urgency is another than when they asked and, when there is news, for those that had nothing to
  /// ask for.
  private func askAgain(
    _ motion: ListMotion, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    let hasNews = board.hasNews
    board.hasNews = false
    for row in motion.visible {
      guard let slot = slot(of: row) else { continue }
      if let asked = board.priority(in: slot) {
        if asked == prefetcher.priority(ofVisible: row, in: motion) { continue }
      } else if !(hasNews && board.isIdle(slot)) {
        continue
      }
      ask(for: row, in: slot, motion, request, isolation: isolation)
    }
  }
}
