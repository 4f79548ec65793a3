/// Commits the actions of an effect to its store, unless the effect was cancelled or replaced.
///
/// Unchecked: the actor of the store protects it. Only ``commit(_:on:)``, which is isolated to that actor, uses
/// `store` and `run`. The action is `sending` and is passed to that actor.
struct ActionCommit<State, Action>: @unchecked Sendable {
  private weak let store: Store<State, Action>?
  private let run: LatestTask.Run
  private let isolation: any Actor

  init(_ store: Store<State, Action>?, _ run: LatestTask.Run, _ isolation: any Actor) {
    (self.store, self.run, self.isolation) = (store, run, isolation)
  }

  func callAsFunction(_ action: sending Action) async { await commit(action, on: isolation) }

  private func commit(_ action: sending Action, on isolation: isolated any Actor) {
    if run.isCurrent { store?.send(action, isolation: isolation) }
  }
}
