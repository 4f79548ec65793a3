/// The actions of a list of pages.
public enum PagingAction<Item, Cursor> {
  /// This number of items is wanted.
  case reached(Int)
  /// The page after the last item arrived.
  case loaded(Page<Item, Cursor>)
  /// The page failed.
  case failed(UserFacingError)
  /// The page's source stopped without a result.
  case gaveUp
  /// The minimum time since the start of the last page has passed: another page may start.
  case rested
  /// Request the failed page or refresh once more.
  case retry
  /// Reload the list.
  case refresh
  /// The first page arrived.
  case refreshed(Page<Item, Cursor>)
  /// The first page failed.
  case refreshFailed(UserFacingError)
  /// The refresh was cancelled, or its source stopped without a result.
  case cancelRefresh
}

extension PagingAction: Sendable where Item: Sendable, Cursor: Sendable {}
extension PagingAction: Equatable where Item: Equatable, Cursor: Equatable {}
extension PagingAction: Codable where Item: Codable, Cursor: Codable {}

/// The transitions of a list of pages. At most one page loads at a time, and none during a refresh.
struct PagingReducer<Item: Sendable, Cursor: Sendable> {
  typealias State = PagingState<Item, Cursor>
  typealias Action = PagingAction<Item, Cursor>
  private enum Work { case page, rest, refresh }

  let source: any PagingSource<Item, Cursor>
  let interval: Duration

  func reduce(_ state: inout State, _ action: Action) -> Effects<Action> {
    switch action {
    case .reached(let count):
      state.reached = max(state.reached, count)
      return loadIfWanted(&state)

    case .loaded(let page):
      state.items += page.items
      state.next = page.next
      state.end = page.next == nil ? .last : .more
      return loadIfWanted(&state)

    case .failed(let error):
      state.end = .failed(error)
      return .none

    case .gaveUp:
      state.end = .more
      // The next row near the end requests it again.
      state.reached = 0
      return .none

    case .rested:
      state.isResting = false
      return loadIfWanted(&state)

    case .retry:
      guard case .failed = state.refresh else {
        if case .failed = state.end, state.refresh != .running { return load(&state) }
        return .none
      }
      // Obsolete if the refresh succeeds, loaded again if it does not.
      if case .failed = state.end { state.end = .more }
      return reduce(&state, .refresh)

    case .refresh:
      state.refresh = .running
      // Requested again after a failed or cancelled refresh, if it is still wanted.
      if state.end == .loading { state.end = .more }
      return .cancel(id: Work.page) + refresh()

    case .refreshed(let page):
      state.refresh = .idle
      state.items = []
      state.generation += 1
      // The count referred to the previous items.
      state.reached = 0
      return reduce(&state, .loaded(page))

    case .refreshFailed(let error):
      state.refresh = .failed(error)
      return loadIfWanted(&state)

    case .cancelRefresh:
      guard state.refresh == .running else { return .none }
      state.refresh = .idle
      return .cancel(id: Work.refresh) + loadIfWanted(&state)
    }
  }

  private func loadIfWanted(_ state: inout State) -> Effects<Action> {
    guard state.end == .more, state.refresh != .running, !state.isResting, state.reached > state.items.count
    else { return .none }
    return load(&state)
  }

  private func load(_ state: inout State) -> Effects<Action> {
    state.end = .loading
    let next = state.next
    // A function: Swift 6.3 runs the body of a closure that is created outside of any actor outside of the
    // store's actor.
    func ask(_ send: Effects<Action>.Send) async {
      do {
        await send(.loaded(try await source.page(at: next)))
      } catch {
        await send(UserFacingError(error).map { .failed($0) } ?? .gaveUp)
      }
    }
    let page = Effects<Action>.run(id: Work.page, ask)
    if interval <= .zero { return page }
    state.isResting = true
    func rest(_ send: Effects<Action>.Send) async { await send(.rested) }
    return page + .run(id: Work.rest, after: interval, rest)
  }

  private func refresh() -> Effects<Action> {
    func ask(_ send: Effects<Action>.Send) async {
      do {
        await send(.refreshed(try await source.page(at: nil)))
      } catch {
        await send(UserFacingError(error).map { .refreshFailed($0) } ?? .cancelRefresh)
      }
    }
    return .run(id: Work.refresh, ask)
  }
}
