#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A slot, and its states as a publisher.
  ///
  /// A subscriber gets the state now and each that follows, in the turn and the isolation in which the slot takes it. One that
  /// asks slowly gets the newest when it asks. When this goes, the states finish.
  ///
  /// Not `Sendable`, as the slot is not: subscribe and ask in the isolation of the slot.
  public final class PublishedSlot<Decoder: ResourceDecoder> {
    /// The slot.
    public let slot: Slot<Decoder>
    private let subject: CurrentValueSubject<SlotState<Decoder.Value>, Never>

    /// A slot that shows what `loader` loads; see `Slot`.
    public init(
      _ loader: ResourceLoader<Decoder>, placeholder: Slot<Decoder>.Placeholder = .blank,
      showsPreviews: Bool = false
    ) {
      let subject = CurrentValueSubject<SlotState<Decoder.Value>, Never>(.empty)
      self.subject = subject
      slot = Slot(loader, placeholder: placeholder, showsPreviews: showsPreviews) { subject.send($0) }
    }

    deinit { subject.send(completion: .finished) }

    /// What the slot shows.
    public var states: AnyPublisher<SlotState<Decoder.Value>, Never> { subject.eraseToAnyPublisher() }
  }
#endif
