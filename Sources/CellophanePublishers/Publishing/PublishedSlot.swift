#if Publishers
  public import Cellophane
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A slot with a publisher of its states.
  ///
  /// A subscriber gets the current state and each later one, synchronously and in the isolation of the slot. A slow subscriber
  /// gets the newest state at its next demand. The states finish when this object is released.
  ///
  /// Not `Sendable`, like `Slot`: subscribe in the isolation of the slot.
  public final class PublishedSlot<Decoder: ResourceDecoder> {
    /// The slot to show requests in.
    public let slot: Slot<Decoder>
    private let subject: CurrentValueSubject<SlotState<Decoder.Value>, Never>

    /// Creates a slot; see `Slot`.
    ///
    /// - Parameters:
    ///   - loader: The loader of its values.
    ///   - placeholder: The state during a load.
    ///   - showsPreviews: True to report previews.
    public init(
      _ loader: ResourceLoader<Decoder>, placeholder: Slot<Decoder>.Placeholder = .blank,
      showsPreviews: Bool = false
    ) {
      let subject = CurrentValueSubject<SlotState<Decoder.Value>, Never>(.empty)
      self.subject = subject
      slot = Slot(loader, placeholder: placeholder, showsPreviews: showsPreviews) { subject.send($0) }
    }

    deinit { subject.send(completion: .finished) }

    /// The states of the slot, beginning with the current one.
    public var states: AnyPublisher<SlotState<Decoder.Value>, Never> { subject.eraseToAnyPublisher() }
  }
#endif
