public import Cellophane

/// The pictures of a list's rows: slots for those that are visible, and what is about to be, loaded ahead.
///
/// It is told how the list moves, ``follow(_:isolation:request:)``. Slots are numbered from 0 and used again, like the cells of a
/// list: one that has been out of sight for longest takes the next row that comes in.
///
/// Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other, and displays in its isolation. When it
/// goes, what loads is cancelled.
public final class RowSlots<Decoder: ResourceDecoder> {
  /// What a row asks for.
  public typealias Request = Cellophane.Request<Decoder.Options>
  /// What a slot shows.
  public typealias State = SlotState<Decoder.Value>

  private let slots: SlotTable<Int, Decoder>
  private let prefetcher: Prefetcher<Decoder>
  private let board = Board()

  /// No slots yet.
  ///
  /// - Parameters:
  ///   - policy: Says which rows are loaded ahead; see `Prefetcher`.
  ///   - prefetching: What loading ahead may use.
  ///   - display: Called with each new state of a slot, and with the row that it stands for, in the isolation of the caller
  ///     of ``follow(_:isolation:request:)``. A slot that comes to stand for another row which asks for the same has no new
  ///     state.
  public init(
    _ loader: ResourceLoader<Decoder>, policy: any PrefetchPolicy = LandingAware(),
    prefetching: Prefetcher<Decoder>.Configuration = Prefetcher.Configuration(),
    placeholder: Slot<Decoder>.Placeholder = .blank, showsPreviews: Bool = false,
    display: @escaping (_ slot: Int, _ row: Int, State) -> Void = { _, _, _ in }
  ) {
    prefetcher = Prefetcher(loader, policy: policy, configuration: prefetching)
    slots = SlotTable(loader, placeholder: placeholder, showsPreviews: showsPreviews) { [board] change in
      board.note(isLoading: change.state.isLoading, in: change.key)
      if let row = board.bindings.rows[change.key] { display(change.key, row, change.state) }
    }
  }

  /// How many slots there are.
  public var count: Int { board.bindings.rows.count }

  /// The rows that were visible last.
  public var visible: Range<Int> { board.bindings.visible }

  /// The slot that stands for `row`, if there is one. O(1).
  public func slot(of row: Int) -> Int? { board.bindings.slot(of: row) }

  /// What is shown for `row`; empty when it has no slot. O(1).
  public subscript(row: Int) -> State { slot(of: row).map { slots[$0] } ?? .empty }

  /// The list moves like this now: gives slots to the rows that came in, says anew how urgent those are that wait, and loads
  /// what is about to come. To be called with every change of the offset, and when a finger touches the list or leaves it.
  /// O(visible rows) while some come in or wait for what they ask, else what the policy takes.
  ///
  /// - Parameter request: What a row asks for; nil for one without a picture, or whose item is not there yet. Its priority is
  ///   set here.
  public func follow(
    _ motion: ListMotion, isolation: isolated any Actor = #isolation, request: (_ row: Int) -> Request?
  ) {
    for change in board.bindings.show(motion.visible) {
      ask(for: change.row, in: change.slot, motion, request, isolation: isolation)
    }
    if board.hasNews || board.loading > 0 { askAgain(motion, request, isolation: isolation) }
    prefetcher.follow(motion, isolation: isolation, request: request)
  }

  /// Loads the request of `row` once more, when its load failed.
  public func retry(_ row: Int, isolation: isolated any Actor = #isolation) {
    if let slot = slot(of: row) { slots.retry(slot, isolation: isolation) }
  }

  /// Rows that had nothing to ask for may have now: the next ``follow(_:isolation:request:)`` asks them again.
  public func setNeedsRequests() { board.hasNews = true }

  /// Rows mean other things than before: gives all slots back. The next ``follow(_:isolation:request:)`` asks for what is
  /// visible.
  public func invalidate(isolation: isolated any Actor = #isolation) {
    prefetcher.show([], visible: [], isolation: isolation)
    slots.removeAll(isolation: isolation)
    board.bindings.removeAll()
  }

  private func ask(
    for row: Int, in slot: Int, _ motion: ListMotion, _ request: (_ row: Int) -> Request?,
    isolation: isolated any Actor
  ) {
    guard var request = request(row) else {
      board.begin(slot, priority: nil)
      return slots.show(nil, for: slot, isolation: isolation)
    }
    request.priority = prefetcher.priority(ofVisible: row, in: motion)
    board.begin(slot, priority: request.priority)
    slots.show(request, for: slot, isolation: isolation)
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

extension RowSlots {
  /// What is known of each slot; an object of its own, because the table's display writes to it.
  private final class Board {
    private struct Status {
      /// How urgent its request is; nil when it has asked for nothing.
      var priority: Priority?
      var isLoading = false
    }

    var bindings = RowBindings()
    /// True until those that have asked for nothing are asked again.
    var hasNews = false
    /// How many slots load.
    private(set) var loading = 0
    private var statuses: [Status] = []

    func begin(_ slot: Int, priority: Priority?) {
      while statuses.count <= slot { statuses.append(Status()) }
      statuses[slot].priority = priority
    }

    func note(isLoading: Bool, in slot: Int) {
      guard statuses.indices.contains(slot), statuses[slot].isLoading != isLoading else { return }
      statuses[slot].isLoading = isLoading
      loading += isLoading ? 1 : -1
    }

    /// How urgent the request is that loads in `slot`; nil when none does.
    func priority(in slot: Int) -> Priority? { statuses[slot].isLoading ? statuses[slot].priority : nil }

    /// True when `slot` has asked for nothing.
    func isIdle(_ slot: Int) -> Bool { statuses[slot].priority == nil }
  }
}

extension SlotState {
  fileprivate var isLoading: Bool {
    switch self {
    case .loading, .preview: true
    case .empty, .shown, .failed: false
    }
  }
}
