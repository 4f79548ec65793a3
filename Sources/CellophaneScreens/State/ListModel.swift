public import Cellophane
public import Observation

/// A list of pages whose rows show pictures: a ``PagingModel`` and its ``RowSlots``, driven by how the list moves.
///
/// Row 0 is the first item. The layout may have more rows than there are items, for placeholders: they get their pictures
/// when the items come.
///
/// Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other. When it goes, what runs is cancelled.
public final class ListModel<Item: Sendable, Cursor: Sendable, Decoder: ResourceDecoder>: Observable {
  /// The items, to be observed, retried and recorded.
  public let pages: PagingModel<Item, Cursor>
  /// The pictures of the visible rows.
  public let rows: RowSlots<Decoder>

  private let request: (Item) -> Request<Decoder.Options>?
  /// What the pages and the list were at the last frame: most frames find both as they were.
  private var reductions = 0
  private var end: Int?
  private var generation = 0
  private var itemCount = 0
  /// How often it moved.
  private var turn = 0

  /// A list of `pages`, with `rows` for the pictures of its items.
  ///
  /// - Parameter request: The picture of an item; nil for one without.
  public init(
    pages: PagingModel<Item, Cursor>, rows: RowSlots<Decoder>,
    request: @escaping (Item) -> Request<Decoder.Options>?
  ) {
    self.pages = pages
    self.rows = rows
    self.request = request
  }

  /// The list moves like this now: asks for the pictures of what came in and for what is about to come, and for another page
  /// when the end is near. To be called with every change of the offset, when a finger touches the list or leaves it, and
  /// when the items have changed. O(visible rows) while some come in or wait, else what the prefetch policy takes.
  ///
  /// When it is called again meanwhile, by whoever is told or asked something, the newest movement counts.
  public func scroll(_ motion: ListMotion, isolation: isolated any Actor = #isolation) {
    turn += 1
    let turn = turn
    noteNews(isolation: isolation)
    guard turn == self.turn else { return }
    rows.follow(motion, isolation: isolation) { row in
      let items = pages.state.items
      return items.indices.contains(row) ? request(items[row]) : nil
    }
    guard turn == self.turn else { return }
    let end = motion.visible.upperBound
    guard pages.store.reductions != reductions || end != self.end else { return }
    (reductions, self.end) = (pages.store.reductions, end)
    pages.loadIfNeeded(upTo: end, isolation: isolation)
  }

  /// Tells the rows what has become of the items since the last frame.
  private func noteNews(isolation: isolated any Actor) {
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

  /// Begins anew; see ``PagingModel/refresh(isolation:)``. Pictures stay until the first page comes.
  public func refresh(isolation: isolated any Actor = #isolation) { pages.refresh(isolation: isolation) }

  /// Loads once more what failed of the pages; see ``PagingModel/retry(isolation:)``. Pictures have ``RowSlots/retry(_:isolation:)``.
  public func retry(isolation: isolated any Actor = #isolation) { pages.retry(isolation: isolation) }
}
