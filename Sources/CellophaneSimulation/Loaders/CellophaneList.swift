internal import Cellophane

/// A list whose cells are this library's slots.
struct CellophaneList: ListLoader {
  let loader: ResourceLoader<ImageDecoder>
  /// False leaves rows alone until they come in.
  let looksAhead: Bool

  func makeCell(display: @escaping (SlotState<Image>) -> Void) -> any PictureCell {
    SlotCell(Slot(loader, display: display))
  }

  func makePrefetcher() -> Prefetcher<ImageDecoder>? { looksAhead ? Prefetcher(loader) : nil }
}

private final class SlotCell: PictureCell {
  private let slot: Slot<ImageDecoder>

  init(_ slot: Slot<ImageDecoder>) { self.slot = slot }

  func show(_ request: ImageRequest, isolation: isolated any Actor) {
    slot.show(request, isolation: isolation)
  }

  func end(isolation: isolated any Actor) { slot.show(nil, isolation: isolation) }
}
