/// Slots by key, for lists that identify their cells by section and row or by any other `Hashable`.
///
/// Like ``Slot``, it belongs to the actor that created it.
public final class SlotTable<Key: Hashable & Sendable, Decoder: ResourceDecoder> {
  /// A change of a slot.
  public struct Change: Sendable {
    /// The key of the slot.
    public let key: Key
    /// Its new state.
    public let state: SlotState<Decoder.Value>
  }

  private let loader: ResourceLoader<Decoder>
  private let placeholder: Slot<Decoder>.Placeholder
  private let showsPreviews: Bool
  private let display: (Change) -> Void
  private let listeners = Listeners()
  private var slots: [Key: (number: Int, slot: Slot<Decoder>)] = [:]
  private var slotsMade = 0

  /// Creates an empty table of slots that show values of `loader`; see ``Slot/init(_:placeholder:showsPreviews:display:)``.
  ///
  /// - Parameter display: Called with each change at once, in the isolation of the caller of ``show(_:for:placeholder:isolation:)``. An
  ///   alternative to ``changes(limit:)``.
  public init(
    _ loader: ResourceLoader<Decoder>, placeholder: Slot<Decoder>.Placeholder = .blank,
    showsPreviews: Bool = false, display: @escaping (Change) -> Void = { _ in }
  ) {
    self.loader = loader
    self.placeholder = placeholder
    self.showsPreviews = showsPreviews
    self.display = display
  }

  deinit { listeners.finish() }

  /// The number of slots.
  package var count: Int { slots.count }

  /// The state of the slot of `key`; empty without a slot.
  public subscript(key: Key) -> SlotState<Decoder.Value> { slots[key]?.slot.state ?? .empty }

  /// Shows `request` in the slot of `key`, which is created if necessary; see
  /// ``Slot/show(_:placeholder:isolation:)``. Nil removes the slot and cancels its load.
  public func show(
    _ request: Request<Decoder.Options>?, for key: Key,
    placeholder: @autoclosure () -> Decoder.Value? = nil, isolation: isolated any Actor = #isolation
  ) {
    guard let request else {
      slots.removeValue(forKey: key)?.slot.show(nil, isolation: isolation)
      return
    }
    slot(of: key).show(request, placeholder: placeholder(), isolation: isolation)
  }

  /// Returns the progress of the running load of `key`; see ``Slot/progress``. Nil without a slot.
  public func progress(of key: Key) -> LoadProgressUpdates? { slots[key]?.slot.progress }

  /// Pauses or continues the animation of `key`; see ``Slot/isPaused``.
  public func setPaused(_ isPaused: Bool, for key: Key) { slots[key]?.slot.isPaused = isPaused }

  /// Loads the request of `key` again after a failure.
  public func retry(_ key: Key, isolation: isolated any Actor = #isolation) {
    slots[key]?.slot.retry(isolation: isolation)
  }

  /// Removes all slots in the order of their creation.
  public func removeAll(isolation: isolated any Actor = #isolation) {
    let leaving = slots.values.sorted { $0.number < $1.number }
    slots = [:]
    for (_, slot) in leaving { slot.show(nil, isolation: isolation) }
  }

  /// Returns all later changes of all slots in order. The stream ends with the table.
  ///
  /// - Parameter limit: The number of changes that are buffered for a slow reader; older ones are discarded. Changes retain
  ///   their images, so the default of 256 is a few screens of cells.
  public func changes(limit: Int = 256) -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Change.self, bufferingPolicy: .bufferingNewest(limit))
    listeners.add(continuation)
    return stream
  }

  private func slot(of key: Key) -> Slot<Decoder> {
    if let slot = slots[key]?.slot { return slot }
    let slot = Slot(loader, placeholder: placeholder, showsPreviews: showsPreviews) {
      [listeners, display] state in
      let change = Change(key: key, state: state)
      display(change)
      listeners.yield(change)
    }
    slotsMade += 1
    slots[key] = (slotsMade, slot)
    return slot
  }
}

extension SlotTable {
  private final class Listeners {
    private var streams: [AsyncStream<Change>.Continuation] = []

    func add(_ stream: AsyncStream<Change>.Continuation) { streams.append(stream) }

    func yield(_ change: Change) {
      streams.removeAll { stream in
        if case .terminated = stream.yield(change) { true } else { false }
      }
    }

    func finish() {
      for stream in streams { stream.finish() }
    }
  }
}
