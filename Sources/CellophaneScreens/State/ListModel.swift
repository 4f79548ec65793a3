public import Cellophane
public import Observation

/// A list of pages whose rows show images: a ``PagingModel`` and its ``RowSlots``, driven by the motion of
/// the list.
///
/// Row 0 is the first item. The layout may contain more rows than there are items, as placeholders. They get
/// their images when the items arrive.
///
/// Not `Sendable`: it belongs to the actor that created it, `MainActor` or any other. Releasing it cancels
/// its work.
public final class ListModel<Item: Sendable, Cursor: Sendable, Decoder: ResourceDecoder>: Observable {
  /// The items, to be observed, retried and recorded.
  public let pages: PagingModel<Item, Cursor>
  /// The images of the visible rows.
  public let rows: RowSlots<Decoder>

  private let request: (Item) -> Request<Decoder.Options>?
  /// The state of pages and list at the last frame. Most frames change none of it.
  private var reductions = 0
  private var end: Int?
  private var generation = 0
  private var itemCount = 0
  /// The number of motions so far.
  private var revision = 0

  /// Creates a list of `pages`, with `rows` for the images of its items.
  ///
  /// - Parameter request: Returns the request for an item's image, or nil if the item has none.
  public init(
    pages: PagingModel<Item, Cursor>, rows: RowSlots<Decoder>,
    request: @escaping (Item) -> Request<Decoder.Options>?
  ) {
    self.pages = pages
    self.rows = rows
    self.request = request
  }

  /// Updates the list for `motion`: requests the images of rows that have appeared and of rows that are about
  /// to appear, and another page if the end is near. Call it with every change of the offset, when a finger
  /// touches or leaves the list, and when the items have changed. O(visible rows) while rows appear or wait,
  /// otherwise the cost of the prefetch policy.
  ///
  /// A callback may call it again during the call. The newest motion then counts.
  public func scroll(_ motion: ListMotion, isolation: isolated any Actor = #isolation) {
    revision += 1
    let revision = revision
    noteChanges(isolation: isolation)
    guard revision == self.revision else { return }
    rows.follow(motion, isolation: isolation) { row in
      let items = pages.state.items
      return items.indices.contains(row) ? request(items[row]) : nil
    }
    guard revision == self.revision else { return }
    let end = motion.visible.upperBound
    guard pages.store.reductions != reductions || end != self.end else { return }
    (reductions, self.end) = (pages.store.reductions, end)
    pages.loadIfNeeded(upTo: end, isolation: isolation)
  }

  /// Updates the rows if the items have changed since the last frame.
  private func noteChanges(isolation: isolated any Actor) {
    guard pages.store.reductions != reductions else { return }
    let state = pages.state
    if state.generation != generation {
      generation = state.generation
      rows.invalidate(isolation: isolation)
    }
    if state.items.count != itemCount {
      itemCount = state.items.count
      rows.setNeedsRequests()
    }
  }

  /// Reloads the list; see ``PagingModel/refresh(isolation:)``. Images stay until the first page arrives.
  public func refresh(isolation: isolated any Actor = #isolation) { pages.refresh(isolation: isolation) }

  /// Loads failed pages once more; see ``PagingModel/retry(isolation:)``. For images, use
  /// ``RowSlots/retry(_:isolation:)``.
  public func retry(isolation: isolated any Actor = #isolation) { pages.retry(isolation: isolation) }
}
