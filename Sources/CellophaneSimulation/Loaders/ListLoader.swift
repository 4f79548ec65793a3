internal import Cellophane

/// How a list gets its pictures. Two are measured against each other: ours and the naive one.
protocol ListLoader: Sendable {
  /// A reusable cell that tells `display` whatever it comes to show, in the isolation of its owner.
  func makeCell(display: @escaping (SlotState<Image>) -> Void) -> any PictureCell

  /// What loads rows before they come in; nil for a loader that does not look ahead.
  func makePrefetcher() -> Prefetcher<ImageDecoder>?
}

/// A reusable place for one picture. Belongs to the actor that made it.
protocol PictureCell: AnyObject {
  /// Shows `request` from now on.
  func show(_ request: ImageRequest, isolation: isolated any Actor)

  /// The run is over: nothing is wanted any more.
  func end(isolation: isolated any Actor)
}
