/// Where the actions of an effect land: in its store, as long as nothing has come in place of it.
///
/// Unchecked: the actor of the store protects it. ``land(_:on:)``, isolated to that actor, is all that touches `store` and
/// `turn`, and the action, which is `sending`, is brought there.
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
