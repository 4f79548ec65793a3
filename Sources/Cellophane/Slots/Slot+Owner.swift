/// Slots of an actor, whose display is isolated to it.
extension Slot {
  /// Creates a slot of `owner`, which calls `display` with `owner`, in its isolation. Pass the actor that calls
  /// ``show(_:placeholder:isolation:)``; another one traps.
  ///
  /// The slot does not retain `owner`, so that the actor may own the slot. A running load retains it until it ends.
  ///
  /// ```swift
  /// private lazy var slot = Slot(images, owner: self) { $0.picture = $1.value }
  /// ```
  ///
  /// - Parameter display: Called with `owner` and each new state.
  public convenience init<Owner: Actor>(
    _ loader: ResourceLoader<Decoder>, placeholder: Placeholder = .blank, showsPreviews: Bool = false,
    owner: Owner, display: @escaping @Sendable (isolated Owner, SlotState<Decoder.Value>) -> Void
  ) {
    self.init(loader, placeholder: placeholder, showsPreviews: showsPreviews) { [weak owner] state in
      owner?.assumeIsolated { display($0, state) }
    }
  }
}

extension SlotTable {
  /// Creates a table of `owner`, which calls `display` with `owner`, in its isolation; see
  /// ``Slot/init(_:placeholder:showsPreviews:owner:display:)``.
  public convenience init<Owner: Actor>(
    _ loader: ResourceLoader<Decoder>, placeholder: Slot<Decoder>.Placeholder = .blank,
    showsPreviews: Bool = false, owner: Owner, display: @escaping @Sendable (isolated Owner, Change) -> Void
  ) {
    self.init(loader, placeholder: placeholder, showsPreviews: showsPreviews) { [weak owner] change in
      owner?.assumeIsolated { display($0, change) }
    }
  }
}
