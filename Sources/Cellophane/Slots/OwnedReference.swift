/// A weak reference to an object that belongs to an actor, for a task that waits without retaining either.
///
/// A task in the isolation of an actor retains it. A slot that is followed or played for long would thus keep its owner, and the
/// owner its slot.
///
/// Unchecked: the owner protects the object. Only ``run(_:isolation:)``, which is isolated to it, reads `object`.
struct OwnedReference<Object: AnyObject>: @unchecked Sendable {
  private weak let owner: (any Actor)?
  private weak let object: Object?

  /// Creates a reference to `object`, which belongs to the caller's actor.
  init(_ object: Object, isolation: isolated any Actor) {
    owner = isolation
    self.object = object
  }

  /// Runs `body` with the object in the isolation of its owner. Returns false when one of them is gone or `body` does.
  func run(_ body: @Sendable (Object, isolated any Actor) -> Bool) async -> Bool {
    guard let owner else { return false }
    return await run(body, isolation: owner)
  }

  private func run(
    _ body: @Sendable (Object, isolated any Actor) -> Bool, isolation: isolated any Actor
  ) async -> Bool {
    guard let object else { return false }
    return body(object, isolation)
  }
}
