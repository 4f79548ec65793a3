/// Delivers the actions of an effect to its store, unless the effect was cancelled or replaced.
///
/// Unchecked: the actor of the store protects it. Only ``land(_:on:)``, which is isolated to that actor, uses
/// `store` and `turn`. The action is `sending` and is passed to that actor.
struct Landing<State, Action>: @unchecked Sendable {
  private weak let store: Store<State, Action>?
  private let turn: LatestTask.Turn
  private let isolation: any Actor

  init(_ store: Store<State, Action>?, _ turn: LatestTask.Turn, _ isolation: any Actor) {
    (self.store, self.turn, self.isolation) = (store, turn, isolation)
  }

  func callAsFunction(_ action: sending Action) async { await land(action, on: isolation) }

  private func land(_ action: sending Action, on isolation: isolated any Actor) {
    if turn.isCurrent { store?.send(action, isolation: isolation) }
  }
}
