/// Slots by key, for lists that address their cells by section and row or by any other `Hashable`.
///
/// Like ``Slot``, it belongs to the actor that made it.
public final class SlotTable<Key: Hashable & Sendable, Decoder: ResourceDecoder> {
  /// A slot that changed.
  public struct Change: Sendable {
    /// Which slot.
    public let key: Key
    /// What it shows now.
    public let state: SlotState<Decoder.Value>
  }

  private let loader: ResourceLoader<Decoder>
  private let placeholder: Slot<Decoder>.Placeholder
  private let showsPreviews: Bool
  private let display: (Change) -> Void
  private let listeners = Listeners()
  private var slots: [Key: (number: Int, slot: Slot<Decoder>)] = [:]
  private var slotsMade = 0

  /// An empty table of slots that show what `loader` loads; see ``Slot/init(_:placeholder:showsPreviews:display:)``.
  ///
  /// - Parameter display: Called with each change at once, in the isolation of the caller of ``show(_:for:isolation:)``; for
  ///   who need not wait for ``changes(limit:)``.
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

  /// How many slots there are.
  public var count: Int { slots.count }

  /// What the slot of `key` shows; empty when there is none.
  public subscript(key: Key) -> SlotState<Decoder.Value> { slots[key]?.slot.state ?? .empty }

  /// Shows `request` in the slot of `key`, which is made when there is none; see ``Slot/show(_:isolation:)``.
  /// Nil gives the slot back: its load is cancelled and it is forgotten.
  public func show(
    _ request: Request<Decoder.Options>?, for key: Key, isolation: isolated any Actor = #isolation
  ) {
    guard let request else {
      slots.removeValue(forKey: key)?.slot.show(nil, isolation: isolation)
      return
    }
    slot(of: key).show(request, isolation: isolation)
  }

  /// Loads the request of `key` once more, when its load failed.
  public func retry(_ key: Key, isolation: isolated any Actor = #isolation) {
    slots[key]?.slot.retry(isolation: isolation)
  }

  /// Gives every slot back, in the order in which they were made.
  public func removeAll(isolation: isolated any Actor = #isolation) {
    let leaving = slots.values.sorted { $0.number < $1.number }
    slots = [:]
    for (_, slot) in leaving { slot.show(nil, isolation: isolation) }
  }

  /// Every change from now on, of any slot, in the order in which they happen. Ends with the table.
  ///
  /// - Parameter limit: How many changes wait for a slow reader; then the oldest are dropped. They hold their
  ///   pictures, so 256 is a few screens of cells and not a memory cache of its own.
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
