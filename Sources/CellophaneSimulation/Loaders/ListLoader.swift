internal import Cellophane

/// A loader of the images of a list. The simulation compares several.
protocol ListLoader: Sendable {
  /// Creates a list of `rows` rows with `slots` reused slots. The closures are called in the isolation of the
  /// caller.
  ///
  /// - Parameters:
  ///   - request: Returns the request of a row; nil if absent.
  ///   - display: Called with the new state of a slot.
  ///   - bind: Called with the new row of a slot, before its state changes.
  func makeList(
    rows: Int, slots: Int, request: @escaping (_ row: Int) -> ImageRequest?,
    display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) -> any SimulatedList
}

/// The slots of a list on a ``Screen``, and the loader of their images. Belongs to the actor that created it.
protocol SimulatedList: AnyObject {
  /// Updates the list to a motion: binds slots to the rows that became visible, which request their images.
  func scroll(_ motion: ListMotion, isolation: isolated any Actor)

  /// Returns the slot that is bound to a visible row.
  func slot(of row: Int) -> Int?

  /// Unbinds all slots after a rotation of the screen, which needs `count` slots.
  func invalidate(count: Int?, isolation: isolated any Actor)

  /// Ends the run: cancels all requests.
  func end(isolation: isolated any Actor)
}

extension SlotState {
  /// Returns the state with its value converted by `transform`.
  func map<Other>(_ transform: (Value) -> Other) -> SlotState<Other> {
    switch self {
    case .empty: .empty
    case .loading(let previous): .loading(previous: previous.map(transform))
    case .preview(let value): .preview(transform(value))
    case .shown(let value, let source): .shown(transform(value), from: source)
    case .failed(let error, let previous): .failed(error, previous: previous.map(transform))
    }
  }
}
