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
  /// The load failed. The error states whether ``Slot/retry(isolation:)`` is useful. `previous` is the value shown
  /// before, when the slot keeps it during the load.
  case failed(LoadError, previous: Value?)

  /// The value to draw: the shown one, its preview, or the previous one during and after a load that failed.
  public var value: Value? {
    switch self {
    case .shown(let value, _), .preview(let value): value
    case .loading(let previous), .failed(_, let previous): previous
    case .empty: nil
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

extension SlotState: CustomStringConvertible {
  /// The state and its value or error, in one line.
  public var description: String {
    switch self {
    case .empty: "empty"
    case .loading(nil): "loading"
    case .loading(let previous?): "loading over \(oneLine(previous))"
    case .preview(let value): "preview of \(oneLine(value))"
    case .shown(let value, let source): "\(oneLine(value)) from \(source)"
    case .failed(let error, _): "failed: \(error)"
    }
  }
}
