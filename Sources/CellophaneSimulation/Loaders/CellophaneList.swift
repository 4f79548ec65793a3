internal import Cellophane
internal import CellophaneScreens

/// A list over this library's ``RowSlots``, as an app has it.
struct CellophaneList<Decoder: ResourceDecoder>: ListLoader where Decoder.Options == ImageOptions {
  let loader: ResourceLoader<Decoder>
  /// What a picture proves to be.
  let identify: @Sendable (Decoder.Value) -> PictureIdentity
  /// What is loaded before it comes in.
  let policy: any PrefetchPolicy
  /// Whether slots show what has arrived of a picture.
  var showsPreviews = false

  func makeList(
    count: Int, display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) -> any SimulatedList {
    RowSlots(loader, count: count, policy: policy, showsPreviews: showsPreviews) {
      [identify] slot, _, state in
      display(slot, state.map(identify))
    } bind: { slot, row in
      bind(slot, row)
    }
  }
}

extension RowSlots: SimulatedList where Decoder.Options == ImageOptions {
  func end(isolation: isolated any Actor) { invalidate(isolation: isolation) }
}
