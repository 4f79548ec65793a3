internal import Synchronization

/// Who shows which version of what, and wants to hear of another one.
final class UpdateObservers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Follower {
    let version: UInt64
    let news: OneShot<Value?>
  }

  private let followers = Mutex<[Key: [Follower]]>([:])

  /// How many wait.
  var count: Int { followers.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Waits for a version of `key` other than `version`; nil at once when the caller's task is cancelled.
  ///
  /// - Parameter already: Looks whether there is one already; asked once nothing can be missed any more.
  func next(of key: Key, after version: UInt64, already: () -> Value?) async -> Value? {
    let news = OneShot<Value?>()
    followers.withLock { $0[key, default: []].append(Follower(version: version, news: news)) }
    if let value = already(), news.settle(value) { forget(key, news) }
    return await withTaskCancellationHandler {
      await news.value
    } onCancel: {
      if news.settle(nil) { forget(key, news) }
    }
  }

  /// There is a version of `key`.
  func tell(_ key: Key, _ version: UInt64, _ value: Value) {
    let told = followers.withLock { followers -> [Follower] in
      guard let all = followers[key] else { return [] }
      let same = all.filter { $0.version == version }
      followers[key] = same.isEmpty ? nil : same
      return all.filter { $0.version != version }
    }
    for follower in told { follower.news.settle(value) }
  }

  private func forget(_ key: Key, _ news: OneShot<Value?>) {
    followers.withLock { followers in
      let others = followers[key]?.filter { $0.news !== news } ?? []
      followers[key] = others.isEmpty ? nil : others
    }
  }
}
