internal import Cellophane
internal import CellophaneScreens

/// The list of an app that uses Cellophane's ``ListModel``, with all rows known in advance.
struct CellophaneList<Decoder: ResourceDecoder>: ListLoader where Decoder.Options == ImageOptions {
  let loader: ResourceLoader<Decoder>
  /// Returns the identity of a decoded image.
  let identify: @Sendable (Decoder.Value) -> PictureIdentity
  /// The prefetch policy.
  let policy: any PrefetchPolicy
  /// True if slots show previews.
  var showsPreviews = false

  func makeList(
    rows: Int, slots: Int, request: @escaping (_ row: Int) -> ImageRequest?,
    display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) -> any SimulatedList {
    let pictures = RowSlots(loader, count: slots, policy: policy, showsPreviews: showsPreviews) {
      [identify] slot, _, state in
      display(slot, state.map(identify))
    } bind: { slot, row in
      bind(slot, row)
    }
    let items = PagingModel(items: Array(0..<rows), timeline: loader.bytes.timeline)
    return ListModel(pages: items, rows: pictures, request: request)
  }
}

extension ListModel: SimulatedList where Item == Int, Cursor == Never, Decoder.Options == ImageOptions {
  func slot(of row: Int) -> Int? { rows.slot(of: row) }

  func invalidate(count: Int?, isolation: isolated any Actor) {
    rows.invalidate(count: count, isolation: isolation)
  }

  func end(isolation: isolated any Actor) { rows.invalidate(isolation: isolation) }
}
