internal import Cellophane

/// The running effects in the order in which they started, at most one for each identity. A store has a
/// handful, so a linear search is sufficient.
///
/// It keeps one ``LatestTask`` for each effect and, like that, belongs to one actor.
final class EffectTable {
  private let timeline: Timeline
  /// An array, because the order of cancellation must be the same in each run.
  private var effects: [(id: AnyHashable?, task: LatestTask)] = []

  init(timeline: Timeline) { self.timeline = timeline }

  var count: Int { effects.count }

  /// Runs `operation`, and cancels the effect with the same `id`; see ``LatestTask``.
  func run(
    _ id: AnyHashable?, priority: TaskPriority?, isolation: isolated any Actor,
    _ operation: @escaping (LatestTask.Run) async -> Void
  ) {
    if let id { cancel(id) }
    let task = LatestTask(timeline: timeline)
    effects.append((id, task))
    task.run(priority: priority, isolation: isolation) { [weak self] run in
      // Captured, so that the body runs on the actor; see ``LatestTask``.
      _ = isolation
      await operation(run)
      // A replaced effect is no longer in the table.
      if run.end() { self?.effects.removeAll { !$0.task.isRunning } }
    }
  }

  /// Cancels the effect with `id`, if there is one.
  func cancel(_ id: AnyHashable) {
    guard let place = effects.firstIndex(where: { $0.id == id }) else { return }
    effects.remove(at: place).task.cancel()
  }

  /// Cancels all effects, in their order.
  func removeAll() {
    let leaving = effects
    effects = []
    for effect in leaving { effect.task.cancel() }
  }
}
