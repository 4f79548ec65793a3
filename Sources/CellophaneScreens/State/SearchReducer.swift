/// The actions of a search.
public enum SearchAction<Results> {
  /// The text of the field changed.
  case text(String)
  /// The text is complete: search at once.
  case submit
  /// Repeat the failed search.
  case retry
  /// Cancel the running or waiting search.
  case cancel
  /// The search for the waiting text started.
  case began
  /// The search found results.
  case loaded(Results)
  /// The search failed.
  case failed(UserFacingError)
}

extension SearchAction: Sendable where Results: Sendable {}
extension SearchAction: Equatable where Results: Equatable {}
extension SearchAction: Codable where Results: Codable {}

/// The transitions of a search. At most one search waits or runs at a time, under one identity.
struct SearchReducer<Results: Sendable> {
  typealias State = SearchState<Results>
  typealias Action = SearchAction<Results>
  private enum Work { case search }

  let repository: any SearchRepository<Results>
  let debounce: Duration

  func reduce(_ state: inout State, _ action: Action) -> Effects<Action> {
    switch action {
    case .text(let text):
      state.text = text
      let query = text.withoutBlanksAround
      if query.isEmpty { return clear(&state) }
      // Running, waiting, or answered with results or an error.
      if query == state.query { return .none }
      if debounce <= .zero, query != state.answered { return begin(&state) }
      state.query = query
      if query == state.answered, let results = state.results {
        state.isWaiting = false
        state.phase = .results(results)
        return .cancel(id: Work.search)
      }
      state.isWaiting = true
      return ask(for: query, after: debounce)

    case .submit:
      if state.query != nil, !state.isWaiting, state.failure == nil { return .none }
      return begin(&state)

    case .retry: return state.failure == nil ? .none : begin(&state)

    case .cancel:
      guard state.isLoading || state.isWaiting else { return .none }
      state.query = nil
      state.isWaiting = false
      if state.isLoading { state.phase = state.results.map { .results($0) } ?? .idle }
      return .cancel(id: Work.search)

    case .began:
      state.isWaiting = false
      state.phase = .loading(previous: state.results)
      return .none

    case .loaded(let results):
      state.answered = state.query
      state.phase = .results(results)
      return .none

    case .failed(let failure):
      state.phase = .failed(failure, previous: state.results)
      return .none
    }
  }

  /// Returns to the initial state, at once.
  private func clear(_ state: inout State) -> Effects<Action> {
    let text = state.text
    state = State()
    state.text = text
    return .cancel(id: Work.search)
  }

  /// Searches for the current text, without a delay.
  private func begin(_ state: inout State) -> Effects<Action> {
    let query = state.text.withoutBlanksAround
    if query.isEmpty { return .none }
    state.query = query
    state.isWaiting = false
    state.phase = .loading(previous: state.results)
    return ask(for: query)
  }

  private func ask(for query: String, after delay: Duration = .zero) -> Effects<Action> {
    // A function: Swift 6.3 runs the body of a closure that is created outside of any actor outside of the
    // store's actor.
    func ask(_ send: Effects<Action>.Send) async {
      if delay > .zero { await send(.began) }
      do {
        await send(.loaded(try await repository.results(for: query)))
      } catch {
        await send(UserFacingError(error).map { .failed($0) } ?? .cancel)
      }
    }
    return .run(id: Work.search, after: delay, ask)
  }
}

extension String {
  fileprivate var withoutBlanksAround: String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
