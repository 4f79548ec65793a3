internal import Synchronization

/// Observers that wait for another version of a value.
final class UpdateObservers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Observer {
    let version: UInt64
    let update: OneShot<Value?>
  }

  private let observers = Mutex<[Key: [Observer]]>([:])

  /// The number of waiting observers.
  var count: Int { observers.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Waits for a version of `key` other than `version`; nil at once when the caller's task is cancelled.
  ///
  /// - Parameter present: Returns another version that is present already. Called after the observer was added, so that no
  ///   update is missed.
  func next(of key: Key, after version: UInt64, present: () -> Value?) async -> Value? {
    let update = OneShot<Value?>()
    observers.withLock { $0[key, default: []].append(Observer(version: version, update: update)) }
    if let value = present(), update.settle(value) { forget(key, update) }
    return await withTaskCancellationHandler {
      await update.value
    } onCancel: {
      if update.settle(nil) { forget(key, update) }
    }
  }

  /// Notifies the observers of other versions of `key`.
  func notify(_ key: Key, _ version: UInt64, _ value: Value) {
    let notified = observers.withLock { observers -> [Observer] in
      guard let all = observers[key] else { return [] }
      let same = all.filter { $0.version == version }
      observers[key] = same.isEmpty ? nil : same
      return all.filter { $0.version != version }
    }
    for observer in notified { observer.update.settle(value) }
  }

  private func forget(_ key: Key, _ update: OneShot<Value?>) {
    observers.withLock { observers in
      let others = observers[key]?.filter { $0.update !== update } ?? []
      observers[key] = others.isEmpty ? nil : others
    }
  }
}
