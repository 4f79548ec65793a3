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
  private let makeSlot: (_ number: Int, _ generation: Int) -> Slot<Decoder>
  private let display: (_ slot: Int, _ row: Int, State) -> Void
  private let bind: (_ slot: Int, _ row: Int) -> Void
  private var slots: [Slot<Decoder>] = []
  /// How the list moved last. Whoever is told or asked something may move it once more: then the newest movement counts.
  private var motion: ListMotion?
  /// How often it moved, or all was given back.
  private var turn = 0

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
    self.display = display
    self.bind = bind
    prefetcher = Prefetcher(loader, policy: policy, configuration: prefetching)
    makeSlot = { slot, generation in
      Slot(loader, placeholder: placeholder, showsPreviews: showsPreviews) { state in
        // One that was given back has nothing to say any more.
        guard board.generation == generation else { return }
        board.note(isLoading: state.isLoading, in: slot)
        if board.isTold(slot), let row = board.bindings.rows[slot] { display(slot, row, state) }
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
    turn += 1
    let turn = turn
    self.motion = motion
    board.show(motion.visible)
    makeSlots()
    if board.pending > 0 {
      for row in motion.visible {
        guard let slot = slot(of: row), board.take(slot) else { continue }
        begin(row, in: slot, request, isolation: isolation)
        // What was left to do, the newer one has done.
        guard turn == self.turn else { return }
      }
      for slot in slots.indices where board.isPending(slot) {
        putOff(slot, isolation: isolation)
        guard turn == self.turn else { return }
      }
    }
    if board.loading > 0 {
      for row in motion.visible {
        askAgain(for: row, motion, request, isolation: isolation)
        guard turn == self.turn else { return }
      }
    }
    prefetcher.follow(motion, isolation: isolation, request: request)
  }

  /// Loads the request of `row` once more, when its load failed.
  public func retry(_ row: Int, isolation: isolated any Actor = #isolation) {
    if let slot = slot(of: row) { slots[slot].retry(isolation: isolation) }
  }

  /// Rows that had nothing to ask for may have now: the next ``follow(_:isolation:request:)`` asks them again.
  public func setNeedsRequests() { board.setNeedsRequests() }

  /// Rows mean other things than before, or have another size: gives all slots back. The next
  /// ``follow(_:isolation:request:)`` asks for what is visible; one that comes from a display, which is told that its slot is
  /// empty, counts as the next.
  ///
  /// - Parameter count: How many slots there are from now on, when more or fewer rows are visible, as on a screen that was
  ///   turned; nil for as many as before.
  public func invalidate(count: Int? = nil, isolation: isolated any Actor = #isolation) {
    turn += 1
    let former = slots
    let rows = board.bindings.rows
    let used = former.indices.filter { former[$0].request != nil }
    board.removeAll(count: count)
    slots = []
    makeSlots()
    for slot in used { former[slot].show(nil, isolation: isolation) }
    prefetcher.show([], visible: [], isolation: isolation)
    for slot in used {
      // Whoever was told before may have moved the list, and a row that came in have this slot.
      if let row = rows[slot], !board.isBound(slot) { display(slot, row, .empty) }
    }
  }

  /// As many as there are numbers.
  private func makeSlots() {
    while slots.count < count { slots.append(makeSlot(slots.count, board.generation)) }
  }

  /// Tells that `slot` stands for `row`, unless it is known, and asks what the row asks for.
  private func begin(
    _ row: Int, in slot: Int, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    let binding = board.binding(of: slot)
    if board.tell(slot) {
      bind(slot, row)
      guard board.binding(of: slot) == binding else { return }
      guard visible.contains(row) else { return putOff(slot, isolation: isolation) }
    }
    ask(for: row, in: slot, request, isolation: isolation)
  }

  private func ask(
    for row: Int, in slot: Int, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    let binding = board.binding(of: slot)
    let asked = request(row)
    guard board.binding(of: slot) == binding else { return }
    guard let motion, visible.contains(row) else { return putOff(slot, isolation: isolation) }
    guard var request = asked else {
      board.begin(slot, priority: nil)
      if slots[slot].request != nil { slots[slot].show(nil, isolation: isolation) }
      return
    }
    request.priority = prefetcher.priority(ofVisible: row, in: motion)
    board.begin(slot, priority: request.priority)
    slots[slot].show(request, isolation: isolation)
  }

  /// The row of `slot` is out of sight again, and asked when it comes back. Until then the slot does not go on with what it
  /// loads for the row before.
  private func putOff(_ slot: Int, isolation: isolated any Actor) {
    board.giveBack(slot)
    if board.isIdle(slot), slots[slot].request != nil { slots[slot].show(nil, isolation: isolation) }
  }

  /// Asks for a row whose urgency is another than when it asked.
  private func askAgain(
    for row: Int, _ motion: ListMotion, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    guard let slot = slot(of: row), let asked = board.priority(in: slot) else { return }
    let priority = prefetcher.priority(ofVisible: row, in: motion)
    if asked == priority { return }
    // Before it is asked: who moves the list meanwhile finds it done.
    board.begin(slot, priority: priority)
    ask(for: row, in: slot, request, isolation: isolation)
  }
}
