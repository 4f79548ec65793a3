internal import Cellophane

/// How a list gets its pictures. Two are measured against each other: ours and the naive one.
protocol ListLoader: Sendable {
  /// A reusable cell that tells `display` what the picture proves to be that it comes to show, in the isolation
  /// of its owner.
  func makeCell(display: @escaping (SlotState<PictureIdentity>) -> Void) -> any PictureCell

  /// What loads rows before they come in; nil for a loader that does not look ahead.
  func makePrefetcher() -> (any RowPrefetcher)?
}

/// A reusable place for one picture. Belongs to the actor that made it.
protocol PictureCell: AnyObject {
  /// Shows `request` from now on.
  func show(_ request: ImageRequest, isolation: isolated any Actor)

  /// The screen was turned, and other cells have taken its place.
  func leave(isolation: isolated any Actor)

  /// The run is over: nothing is wanted any more.
  func end(isolation: isolated any Actor)
}

/// Loads rows before they come in. Belongs to the actor that made it.
protocol RowPrefetcher: AnyObject {
  /// Wants these from now on, the first most, and no others; those `visible` take over what is being loaded for them.
  func show(_ window: [ImageRequest], visible: [ImageRequest], isolation: isolated any Actor)

  /// Wants what the list comes to need that moves like this.
  func follow(_ motion: ListMotion, isolation: isolated any Actor, request: (_ row: Int) -> ImageRequest?)

  /// How urgent a visible row is.
  func priority(ofVisible row: Int, in motion: ListMotion) -> Priority
}

extension SlotState {
  /// The same with another value.
  func map<Other>(_ transform: (Value) -> Other) -> SlotState<Other> {
    switch self {
    case .empty: .empty
    case .loading(let previous): .loading(previous: previous.map(transform))
    case .preview(let value): .preview(transform(value))
    case .shown(let value, let source): .shown(transform(value), from: source)
    case .failed(let error): .failed(error)
    }
  }
}
