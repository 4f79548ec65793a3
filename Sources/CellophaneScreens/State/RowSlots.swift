public import Cellophane

/// The images of a list's rows: slots for the visible rows, and prefetching for the rows that are about to
/// appear.
///
/// Call ``follow(_:isolation:request:)`` with each motion of the list. Slots are numbered from 0 and reused
/// like the cells of a list: the slot that was out of sight for longest takes the next row. `cellophane
/// simulate` and `cellophane browse` use this type.
///
/// Not `Sendable`: it belongs to the actor that created it, `MainActor` or any other, and displays in its
/// isolation. Releasing it cancels its loads.
public final class RowSlots<Decoder: ResourceDecoder> {
  /// The request of a row.
  public typealias Request = Cellophane.Request<Decoder.Options>
  /// The state of a slot.
  public typealias State = SlotState<Decoder.Value>

  private let prefetcher: Prefetcher<Decoder>
  private let board: RowBoard
  private let makeSlot: (_ number: Int, _ generation: Int) -> Slot<Decoder>
  private let display: (_ slot: Int, _ row: Int, State) -> Void
  private let bind: (_ slot: Int, _ row: Int) -> Void
  private var slots: [Slot<Decoder>] = []
  /// The last motion of the list. A callback may move the list again; the newest motion then counts.
  private var motion: ListMotion?
  /// The number of motions and invalidations.
  private var revision = 0

  /// Creates unbound slots.
  ///
  /// - Parameters:
  ///   - count: The number of slots at the start. Each is used once before any is reused, and more are
  ///     created if more rows are visible. With one extra slot, a row that has just left the screen gets its
  ///     slot back.
  ///   - policy: Decides which rows to prefetch; see `Prefetcher`.
  ///   - prefetching: The limits of prefetching.
  ///   - display: Called with each new state of a slot and with its row, in the isolation of the caller of
  ///     ``follow(_:isolation:request:)``. If a slot is bound to another row with the same request, its state
  ///     does not change.
  ///   - bind: Called when a slot is bound to another row, and for any row after
  ///     ``invalidate(count:isolation:)``, before the slot displays a state for it. Set the text of a reused
  ///     cell here.
  public init(
    _ loader: ResourceLoader<Decoder>, count: Int = 0,
    policy: any PrefetchPolicy = RowsAhead(count: 8, screens: 2.5),
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
        // Slots of an earlier generation display nothing.
        guard board.generation == generation else { return }
        board.note(isLoading: state.isLoading, in: slot)
        if board.isReported(slot), let row = board.bindings.rows[slot] { display(slot, row, state) }
      }
    }
    makeSlots()
  }

  /// The number of slots.
  public var count: Int { board.bindings.rows.count }

  /// The rows that were visible last.
  public var visible: Range<Int> { board.bindings.visible }

  /// Returns the slot of `row`, if there is one. O(1).
  public func slot(of row: Int) -> Int? { board.bindings.slot(of: row) }

  /// The state of the slot of `row`; empty if the row has no slot. O(1).
  public subscript(row: Int) -> State { slot(of: row).map { slots[$0].state } ?? .empty }

  /// Updates the slots for `motion`: binds slots to the rows that have appeared, updates the priority of
  /// waiting rows, and prefetches. Call it with every change of the offset, and when a finger touches or
  /// leaves the list. O(visible rows) while rows appear or wait for a request, otherwise the cost of the
  /// policy.
  ///
  /// - Parameter request: Returns the request of a row, or nil for a row without an image or without an item
  ///   yet. Its priority is set here.
  public func follow(
    _ motion: ListMotion, isolation: isolated any Actor = #isolation, request: (_ row: Int) -> Request?
  ) {
    revision += 1
    let revision = revision
    self.motion = motion
    let before = visible
    board.show(motion.visible)
    makeSlots()
    if visible != before { pauseInvisible() }
    if board.pending > 0 {
      for row in motion.visible {
        guard let slot = slot(of: row), board.take(slot) else { continue }
        begin(row, in: slot, request, isolation: isolation)
        // A newer motion has done the rest.
        guard revision == self.revision else { return }
      }
      for slot in slots.indices where board.isPending(slot) {
        postpone(slot, isolation: isolation)
        guard revision == self.revision else { return }
      }
    }
    if board.loading > 0 {
      for row in motion.visible {
        requestAgain(for: row, motion, request, isolation: isolation)
        guard revision == self.revision else { return }
      }
    }
    prefetcher.follow(motion, isolation: isolation, request: request)
  }

  /// Loads the request of `row` once more, if it failed.
  public func retry(_ row: Int, isolation: isolated any Actor = #isolation) {
    if let slot = slot(of: row) { slots[slot].retry(isolation: isolation) }
  }

  /// Asks rows without a request again at the next ``follow(_:isolation:request:)``.
  public func setNeedsRequests() { board.setNeedsRequests() }

  /// Unbinds all slots, because rows have other content or another size. The next
  /// ``follow(_:isolation:request:)`` requests the visible rows. This function displays the empty state in each used
  /// slot; a call of `follow` from that display counts as the next one.
  ///
  /// - Parameter count: The new number of slots, for a screen that was rotated; nil keeps their number.
  public func invalidate(count: Int? = nil, isolation: isolated any Actor = #isolation) {
    revision += 1
    let former = slots
    let rows = board.bindings.rows
    let used = former.indices.filter { former[$0].request != nil }
    board.removeAll(count: count)
    slots = []
    makeSlots()
    for slot in used { former[slot].show(nil, isolation: isolation) }
    prefetcher.show([], visible: [], isolation: isolation)
    for slot in used {
      // An earlier callback may have moved the list, and bound this slot to a new row.
      if let row = rows[slot], !board.isBound(slot) { display(slot, row, .empty) }
    }
  }

  /// Plays the animations of the visible rows only.
  private func pauseInvisible() {
    for (slot, row) in board.bindings.rows.enumerated() {
      slots[slot].isPaused = row.map { !visible.contains($0) } ?? true
    }
  }

  /// Creates a slot for each number.
  private func makeSlots() {
    while slots.count < count { slots.append(makeSlot(slots.count, board.generation)) }
  }

  /// Reports the binding of `slot` to `row` if that is new, and asks for the row's request.
  private func begin(
    _ row: Int, in slot: Int, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    let binding = board.binding(of: slot)
    if board.markReported(slot) {
      bind(slot, row)
      guard board.binding(of: slot) == binding else { return }
      guard visible.contains(row) else { return postpone(slot, isolation: isolation) }
    }
    ask(for: row, in: slot, request, isolation: isolation)
  }

  private func ask(
    for row: Int, in slot: Int, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    let binding = board.binding(of: slot)
    let asked = request(row)
    guard board.binding(of: slot) == binding else { return }
    guard let motion, visible.contains(row) else { return postpone(slot, isolation: isolation) }
    guard var request = asked else {
      board.begin(slot, priority: nil)
      if slots[slot].request != nil { slots[slot].show(nil, isolation: isolation) }
      return
    }
    request.priority = prefetcher.priority(ofVisible: row, in: motion)
    board.begin(slot, priority: request.priority)
    slots[slot].show(request, isolation: isolation)
  }

  /// Postpones the row of `slot`, which is out of sight again. Until it returns, the slot does not continue
  /// the load of its previous row.
  private func postpone(_ slot: Int, isolation: isolated any Actor) {
    board.setPending(slot)
    if board.isIdle(slot), slots[slot].request != nil { slots[slot].show(nil, isolation: isolation) }
  }

  /// Requests a row again if its priority has changed.
  private func requestAgain(
    for row: Int, _ motion: ListMotion, _ request: (_ row: Int) -> Request?, isolation: isolated any Actor
  ) {
    guard let slot = slot(of: row), let asked = board.priority(in: slot) else { return }
    let priority = prefetcher.priority(ofVisible: row, in: motion)
    if asked == priority { return }
    // Recorded before the call, so that a motion during the call finds it done.
    board.begin(slot, priority: priority)
    ask(for: row, in: slot, request, isolation: isolation)
  }
}
