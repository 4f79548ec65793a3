public import Cellophane
public import Observation

/// A list whose items come page by page, as its end comes near.
///
/// No page is asked for twice, however fast the list moves, but after an error or when the list begins anew. What failed
/// waits for ``retry(isolation:)``.
///
/// Observable through its ``store``. Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other. When it
/// goes, what runs is cancelled.
public final class PagingModel<Item: Sendable, Cursor: Sendable>: Observable {
  /// The state and its actions, to be observed and recorded; see ``Store/Recording``. Only the model sends actions, or what
  /// it does next would not be what its state says; so nobody else cancels its effects.
  public let store: Store<PagingState<Item, Cursor>, PagingAction<Item, Cursor>>
  private let distance: Int

  /// A list of the pages of `source`, of which none is loaded.
  ///
  /// - Parameters:
  ///   - distance: How many items behind the last visible one shall be there. 20: about two screens.
  ///   - interval: The time from the beginning of one page to that of the next, at least. 100 ms: an origin whose pages are
  ///     small or empty is asked ten times a second at the most.
  public convenience init(
    _ source: some PagingSource<Item, Cursor>, distance: Int = 20, interval: Duration = .milliseconds(100),
    timeline: Timeline = Timeline()
  ) {
    self.init(PagingState(), source, distance: distance, interval: interval, timeline: timeline)
  }

  /// A list whose items are all there. Beginning anew brings the same.
  public convenience init(items: [Item], timeline: Timeline = Timeline()) where Cursor == Never {
    let source = WholeList(items: items)
    self.init(PagingState(all: items), source, distance: 0, interval: .zero, timeline: timeline)
  }

  private init(
    _ state: PagingState<Item, Cursor>, _ source: some PagingSource<Item, Cursor>, distance: Int,
    interval: Duration, timeline: Timeline
  ) {
    self.distance = max(0, distance)
    let reducer = PagingReducer<Item, Cursor>(source: source, interval: interval)
    store = Store(state, timeline: timeline, reduce: reducer.reduce)
  }

  /// What is drawn.
  public var state: PagingState<Item, Cursor> { store.state }

  /// The rows before `end` are visible or have been: loads pages until `distance` more are there. To be called when rows
  /// come in and when the items have changed, or with every frame: it does nothing unless something is missing that was
  /// not wanted before. O(1).
  public func loadIfNeeded(upTo end: Int, isolation: isolated any Actor = #isolation) {
    let (sum, isTooLarge) = max(0, end).addingReportingOverflow(max(1, distance))
    let wanted = isTooLarge ? .max : sum
    if wanted > store.state.reached, wanted > store.state.items.count {
      store.send(.reached(wanted), isolation: isolation)
    }
  }

  /// Asks once more for what failed: for the page, or for the first when that failed to come anew. When both did, for the
  /// first, and for the page if that fails again or is cancelled.
  public func retry(isolation: isolated any Actor = #isolation) { store.send(.retry, isolation: isolation) }

  /// Begins anew: cancels what runs and loads the first page. The items stay until it comes, and when it fails.
  public func refresh(isolation: isolated any Actor = #isolation) {
    store.send(.refresh, isolation: isolation)
  }

  /// Stays with the items as they are.
  public func cancelRefresh(isolation: isolated any Actor = #isolation) {
    store.send(.cancelRefresh, isolation: isolation)
  }
}

/// A list that is one page.
private struct WholeList<Item: Sendable>: PagingSource {
  let items: [Item]

  func page(at cursor: Never?) async throws -> Page<Item, Never> { Page(items, next: nil) }
}
