internal import Cellophane

/// A list whose cells are this library's slots.
struct CellophaneList<Decoder: ResourceDecoder>: ListLoader where Decoder.Options == ImageOptions {
  let loader: ResourceLoader<Decoder>
  /// What a picture proves to be.
  let identify: @Sendable (Decoder.Value) -> PictureIdentity
  /// What is loaded before it comes in.
  let policy: any PrefetchPolicy
  /// Whether slots show what has arrived of a picture.
  var showsPreviews = false

  func makeCell(display: @escaping (SlotState<PictureIdentity>) -> Void) -> any PictureCell {
    SlotCell(Slot(loader, showsPreviews: showsPreviews) { display($0.map(identify)) })
  }

  func makePrefetcher() -> (any RowPrefetcher)? { Prefetcher(loader, policy: policy) }
}

extension Prefetcher: RowPrefetcher where Decoder.Options == ImageOptions {}

private final class SlotCell<Decoder: ResourceDecoder>: PictureCell where Decoder.Options == ImageOptions {
  private let slot: Slot<Decoder>

  init(_ slot: Slot<Decoder>) { self.slot = slot }

  func show(_ request: ImageRequest, isolation: isolated any Actor) {
    slot.show(request, isolation: isolation)
  }

  func leave(isolation: isolated any Actor) { slot.show(nil, isolation: isolation) }

  func end(isolation: isolated any Actor) { slot.show(nil, isolation: isolation) }
}
