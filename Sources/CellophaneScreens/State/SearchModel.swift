public import Cellophane
public import Observation

/// A search: texts in, states out.
///
/// A text is searched for once it has not changed for a while. Results for an older text are dropped.
/// Previous results stay while others load, and if they fail. Blank text clears everything at once.
///
/// Observable through its ``store``. Not `Sendable`: it belongs to the actor that created it, `MainActor` or
/// any other. Releasing it cancels its work.
public final class SearchModel<Results: Sendable>: Observable {
  /// The state and its actions, to be observed and recorded; see ``Store/Recording``. Only the model may send
  /// actions or cancel effects; otherwise its state would not match its work.
  public let store: Store<SearchState<Results>, SearchAction<Results>>

  /// Creates an idle search in `repository`.
  ///
  /// - Parameter debounce: The time without a change before a text is searched for. 300 ms: longer than the
  ///   time between two keys, and short enough to feel like a response to the last one.
  public init(
    _ repository: some SearchRepository<Results>, debounce: Duration = .milliseconds(300),
    timeline: Timeline = Timeline()
  ) {
    let reducer = SearchReducer<Results>(repository: repository, debounce: debounce)
    store = Store(SearchState(), timeline: timeline, reduce: reducer.reduce)
  }

  /// The current state.
  public var state: SearchState<Results> { store.state }

  /// Sets the text of the field. The same text again starts no search, whatever its result was, and neither
  /// does the text of the current results. Blank text clears the search at once.
  public func search(for text: String, isolation: isolated any Actor = #isolation) {
    store.send(.text(text), isolation: isolation)
  }

  /// Searches for the current text at once, unless that search runs or is answered.
  public func submit(isolation: isolated any Actor = #isolation) { store.send(.submit, isolation: isolation) }

  /// Searches for the current text again, if the last search failed.
  public func retry(isolation: isolated any Actor = #isolation) { store.send(.retry, isolation: isolation) }

  /// Cancels the running or waiting search, and returns to the previous results, or to none. Setting the text
  /// again starts its search.
  public func cancel(isolation: isolated any Actor = #isolation) { store.send(.cancel, isolation: isolation) }
}
