internal import Cellophane

/// The effects that run, in the order in which they began, at most one under each identity. A store has a handful, so
/// they are looked through one by one.
///
/// Like ``LatestTask``, of which it keeps one for each effect, it belongs to one actor.
final class EffectTable {
  private let timeline: Timeline
  /// An array, because the order in which they are cancelled must be the same each time.
  private var effects: [(id: AnyHashable?, task: LatestTask)] = []

  init(timeline: Timeline) { self.timeline = timeline }

  var count: Int { effects.count }

  /// Runs `operation` in place of the effect under `id`; see ``LatestTask``.
  func run(
    _ id: AnyHashable?, priority: TaskPriority?, isolation: isolated any Actor,
    _ operation: @escaping (LatestTask.Turn) async -> Void
  ) {
    if let id { cancel(id) }
    let task = LatestTask(timeline: timeline)
    effects.append((id, task))
    task.run(priority: priority, isolation: isolation) { [weak self] turn in
      // Captured, or the body would not run on the actor; see ``LatestTask``.
      _ = isolation
      await operation(turn)
      // One that was overtaken is in the table no more.
      if turn.end() { self?.effects.removeAll { !$0.task.isRunning } }
    }
  }

  /// Cancels the effect under `id`, if there is one.
  func cancel(_ id: AnyHashable) {
    guard let place = effects.firstIndex(where: { $0.id == id }) else { return }
    effects.remove(at: place).task.cancel()
  }

  /// Cancels all, in their order.
  func removeAll() {
    let leaving = effects
    effects = []
    for effect in leaving { effect.task.cancel() }
  }
}
