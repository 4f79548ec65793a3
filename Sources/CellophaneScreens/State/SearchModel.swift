public import Cellophane
public import Observation

/// A search: text in, states out.
///
/// A text is asked for once it has not changed for a while, and what comes back for an older one never lands. Results stay
/// while others load, and when they fail. Blank text clears everything at once.
///
/// Observable through its ``store``. Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other. When it
/// goes, what runs is cancelled.
public final class SearchModel<Results: Sendable>: Observable {
  /// The state and its actions, to be observed and recorded; see ``Store/Recording``. Only the model sends actions, or what
  /// it does next would not be what its state says; so nobody else cancels its effects.
  public let store: Store<SearchState<Results>, SearchAction<Results>>

  /// A search in `repository`, idle.
  ///
  /// - Parameter debounce: How long the text must not have changed before it is asked for. 300 ms: longer than between two
  ///   keys of one who types, and short enough to be taken for an answer to the last.
  public init(
    _ repository: some SearchRepository<Results>, debounce: Duration = .milliseconds(300),
    timeline: Timeline = Timeline()
  ) {
    let reducer = SearchReducer<Results>(repository: repository, debounce: debounce)
    store = Store(SearchState(), timeline: timeline, reduce: reducer.reduce)
  }

  /// What is drawn.
  public var state: SearchState<Results> { store.state }

  /// The text in the field is `text` now. The same text again asks nothing, whatever became of it, and neither does that of
  /// the results at hand; blank text clears the search at once.
  public func search(for text: String, isolation: isolated any Actor = #isolation) {
    store.send(.text(text), isolation: isolation)
  }

  /// Asks for the present text without waiting for another, unless that is under way or answered.
  public func submit(isolation: isolated any Actor = #isolation) { store.send(.submit, isolation: isolation) }

  /// Asks for the present text once more, when the last search failed.
  public func retry(isolation: isolated any Actor = #isolation) { store.send(.retry, isolation: isolation) }

  /// Stops what runs or waits, and shows the results again that were there before, or nothing. The text is asked for when it
  /// is set again.
  public func cancel(isolation: isolated any Actor = #isolation) { store.send(.cancel, isolation: isolation) }
}
