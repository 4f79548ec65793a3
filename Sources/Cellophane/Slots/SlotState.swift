/// The state of a slot.
public enum SlotState<Value: Sendable>: Sendable {
  /// No request is bound.
  case empty
  /// A load runs. `previous` is the value shown before, when the slot keeps it during the load.
  case loading(previous: Value?)
  /// A part or a coarse version of the value while the rest arrives.
  case preview(Value)
  /// The value and the tier from which it came.
  case shown(Value, from: Source)
  /// The load failed. The error states whether ``Slot/retry(isolation:)`` is useful.
  case failed(LoadError)

  /// The value to draw: the shown one, its preview, or the previous one during a load.
  public var value: Value? {
    switch self {
    case .shown(let value, _), .preview(let value): value
    case .loading(let previous): previous
    case .empty, .failed: nil
    }
  }

  /// True while a load runs.
  package var isLoading: Bool {
    switch self {
    case .loading, .preview: true
    case .empty, .shown, .failed: false
    }
  }
}
