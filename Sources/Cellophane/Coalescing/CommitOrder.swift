internal import Synchronization

/// The order in which loads of one key commit their results: last writer wins, by the start of the load. When an earlier
/// load ends after a reload, its result must not replace the newer one.
///
/// Remembers only keys that are being loaded.
final class CommitOrder<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var running = 0
    var newestCommitted: UInt64 = 0
    // The loads that wait for a running commit; nil when none runs.
    var waiting: [OneShot<Void>]?

    /// Begins a commit and returns nil, or returns the end of the running one.
    mutating func beginCommit() -> OneShot<Void>? {
      if waiting == nil {
        waiting = []
        return nil
      }
      let end = OneShot<Void>()
      waiting?.append(end)
      return end
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var begun: UInt64 = 0
    var awaitingEmptiness: [OneShot<Void>] = []

    /// Begins a commit of `key` and returns nil, or returns the end of the running one.
    mutating func beginCommit(of key: Key) -> OneShot<Void>? {
      guard let index = entries.index(forKey: key) else { return nil }
      return entries.values[index].beginCommit()
    }
  }

  private let state = Mutex(State())

  /// The number of keys that are being loaded.
  var count: Int { state.withLock { $0.entries.count } }

  /// Begins a load. Returns its number.
  func begin(_ key: Key) -> UInt64 {
    state.withLock { state in
      state.begun += 1
      state.entries[key, default: Entry()].running += 1
      return state.begun
    }
  }

  /// Commits the result of load `number`. Returns false when a later load has committed.
  func commit(_ key: Key, _ number: UInt64) -> Bool {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key),
        number > state.entries.values[index].newestCommitted
      else { return false }
      state.entries.values[index].newestCommitted = number
      return true
    }
  }

  /// True while no later load has committed.
  func isNewest(_ key: Key, _ number: UInt64) -> Bool {
    state.withLock { state in state.entries[key].map { number > $0.newestCommitted } ?? false }
  }

  /// Stores the result of load `number` with `store`, unless a later load has committed.
  func commit(_ key: Key, _ number: UInt64, store: () async -> Void) async {
    await serialized(key) {
      if commit(key, number) { await store() }
    }
  }

  /// Runs `work` while no other load of `key` commits.
  func serialized<Value>(_ key: Key, _ work: () async -> Value) async -> Value {
    while let end = state.withLock({ $0.beginCommit(of: key) }) { await end.value }
    let value = await work()
    let waiting = state.withLock { state -> [OneShot<Void>] in
      guard let index = state.entries.index(forKey: key) else { return [] }
      return state.entries.values[index].waiting.take() ?? []
    }
    for end in waiting { end.settle(()) }
    return value
  }

  /// Ends a load, with a result or without.
  func end(_ key: Key) {
    let waiting = state.withLock { state -> [OneShot<Void>] in
      if let index = state.entries.index(forKey: key) {
        state.entries.values[index].running -= 1
        if state.entries.values[index].running == 0 { state.entries.remove(at: index) }
      }
      guard state.entries.isEmpty else { return [] }
      defer { state.awaitingEmptiness = [] }
      return state.awaitingEmptiness
    }
    for waiter in waiting { waiter.settle(()) }
  }

  /// Waits until no key is being loaded.
  func emptied() async {
    let waiter = OneShot<Void>()
    state.withLock { state in
      if state.entries.isEmpty { waiter.settle(()) } else { state.awaitingEmptiness.append(waiter) }
    }
    await waiter.value
  }
}
