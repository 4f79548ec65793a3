public import Cellophane
public import Observation

/// A list whose items arrive page by page, as its end comes near.
///
/// Each page is requested once, however fast the list moves, except after an error or a refresh. A failed
/// page waits for ``retry(isolation:)``.
///
/// Observable through its ``store``. Not `Sendable`: it belongs to the actor that created it, `MainActor` or
/// any other. Releasing it cancels its work.
public final class PagingModel<Item: Sendable, Cursor: Sendable>: Observable {
  /// The state and its actions, to be observed and recorded; see ``Store/Recording``. Only the model may send
  /// actions or cancel effects; otherwise its state would not match its work.
  public let store: Store<PagingState<Item, Cursor>, PagingAction<Item, Cursor>>
  private let distance: Int

  /// Creates a list of the pages of `source`. None is loaded.
  ///
  /// - Parameters:
  ///   - distance: The number of items to load beyond the last visible one. 20: about two screens.
  ///   - interval: The minimum time between the starts of two pages. 100 ms: a source with small or empty
  ///     pages gets at most ten requests a second.
  public convenience init(
    _ source: some PagingSource<Item, Cursor>, distance: Int = 20, interval: Duration = .milliseconds(100),
    timeline: Timeline = Timeline()
  ) {
    self.init(PagingState(), source, distance: distance, interval: interval, timeline: timeline)
  }

  /// Creates a list whose items are all present. A refresh returns the same items.
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

  /// The current state.
  public var state: PagingState<Item, Cursor> { store.state }

  /// Loads pages until `distance` items follow the rows before `end`, which are or were visible. Call it when
  /// rows appear and when the items have changed, or with every frame: it does nothing unless an item is
  /// missing that was not requested before. O(1).
  public func loadIfNeeded(upTo end: Int, isolation: isolated any Actor = #isolation) {
    let (sum, isTooLarge) = max(0, end).addingReportingOverflow(max(1, distance))
    let wanted = isTooLarge ? .max : sum
    if wanted > store.state.reached, wanted > store.state.items.count {
      store.send(.reached(wanted), isolation: isolation)
    }
  }

  /// Requests once more the failed page, or the first page if the refresh failed. If both failed, it requests
  /// the first page, and then the other page if the refresh fails again or is cancelled.
  public func retry(isolation: isolated any Actor = #isolation) { store.send(.retry, isolation: isolation) }

  /// Reloads the list: cancels running work and loads the first page. The items stay until it arrives, and
  /// also if it fails.
  public func refresh(isolation: isolated any Actor = #isolation) {
    store.send(.refresh, isolation: isolation)
  }

  /// Cancels the refresh, and keeps the items.
  public func cancelRefresh(isolation: isolated any Actor = #isolation) {
    store.send(.cancelRefresh, isolation: isolation)
  }
}

/// A list with a single page.
private struct WholeList<Item: Sendable>: PagingSource {
  let items: [Item]

  func page(at cursor: Never?) async throws -> Page<Item, Never> { Page(items, next: nil) }
}
