/// The states of stores and models as sequences, for an actor, which cannot use `Observations`.
extension Store where State: Sendable {
  /// The current state, and then the state after each action. The sequence ends with the store.
  ///
  /// A slow reader gets the newest state and misses the ones before it. End the loop over the sequence, or its task, when
  /// the states are not needed any more.
  public var states: AsyncStream<State> {
    let (states, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(state)
    addListener(
      StateListener { state in
        if case .terminated = continuation.yield(state) { false } else { true }
      } onEnd: {
        continuation.finish()
      })
    return states
  }
}

/// A reader of the states of a store.
final class StateListener<State> {
  /// Passes on a state. Returns false if the reader has ended.
  let yield: (State) -> Bool
  private let onEnd: () -> Void

  init(_ yield: @escaping (State) -> Bool, onEnd: @escaping () -> Void) {
    (self.yield, self.onEnd) = (yield, onEnd)
  }

  deinit { onEnd() }
}

extension PagingModel {
  /// The current state and each later one; see ``Store/states``.
  public var states: AsyncStream<PagingState<Item, Cursor>> { store.states }
}

extension SearchModel {
  /// The current state and each later one; see ``Store/states``.
  public var states: AsyncStream<SearchState<Results>> { store.states }
}

extension ListModel {
  /// The current state of the pages and each later one; see ``Store/states``. Call ``scroll(_:isolation:)`` with the last
  /// motion for each, so that rows get the images of new items.
  public var states: AsyncStream<PagingState<Item, Cursor>> { pages.states }
}
