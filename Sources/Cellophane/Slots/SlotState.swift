/// What one slot shows.
public enum SlotState<Value: Sendable>: Sendable {
  /// Nothing was asked for.
  case empty
  /// A load runs; `previous` is the value shown before, when the slot keeps it meanwhile.
  case loading(previous: Value?)
  /// A part or a rough version of the value, while the rest is on its way.
  case preview(Value)
  /// The value, and the tier it came from.
  case shown(Value, from: Source)
  /// The load failed; the error says whether ``Slot/retry(isolation:)`` makes sense.
  case failed(LoadError)

  /// The value to draw: the one shown, its preview, or the one kept while another loads.
  public var value: Value? {
    switch self {
    case .shown(let value, _), .preview(let value): value
    case .loading(let previous): previous
    case .empty, .failed: nil
    }
  }

  /// Whether more is on its way.
  package var isLoading: Bool {
    switch self {
    case .loading, .preview: true
    case .empty, .shown, .failed: false
    }
  }
}
