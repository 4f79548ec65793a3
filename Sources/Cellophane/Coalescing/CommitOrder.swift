internal import Synchronization

/// Which of several loads of one key has the newest result: the one that was begun last, however long it took.
/// A reload runs beside a load that was begun before it; when that one ends last, it must not be kept.
///
/// Remembers only keys that are being loaded.
final class CommitOrder<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var running = 0
    var newestLanded: UInt64 = 0
    // Those who wait until a result is kept; nil when none is being kept.
    var waiting: [OneShot<Void>]?

    /// Nil for the one whose turn it is; for others what they wait for.
    mutating func line() -> OneShot<Void>? {
      if waiting == nil {
        waiting = []
        return nil
      }
      let turn = OneShot<Void>()
      waiting?.append(turn)
      return turn
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var begun: UInt64 = 0
    var awaitingEmptiness: [OneShot<Void>] = []

    /// Nil when it is the turn of who asks; otherwise what to wait for.
    mutating func line(for key: Key) -> OneShot<Void>? {
      guard let index = entries.index(forKey: key) else { return nil }
      return entries.values[index].line()
    }
  }

  private let state = Mutex(State())

  /// How many keys are being loaded.
  var count: Int { state.withLock { $0.entries.count } }

  /// A load begins; returns its number.
  func begin(_ key: Key) -> UInt64 {
    state.withLock { state in
      state.begun += 1
      state.entries[key, default: Entry()].running += 1
      return state.begun
    }
  }

  /// The load has a result; true when it is to be kept, because none that was begun later has landed.
  func land(_ key: Key, _ number: UInt64) -> Bool {
    state.withLock { state in
      guard let index = state.entries.index(forKey: key),
        number > state.entries.values[index].newestLanded
      else { return false }
      state.entries.values[index].newestLanded = number
      return true
    }
  }

  /// True while none that was begun later has landed.
  func isNewest(_ key: Key, _ number: UInt64) -> Bool {
    state.withLock { state in state.entries[key].map { number > $0.newestLanded } ?? false }
  }

  /// The load has a result, which `keep` puts in its place unless one of a load that was begun later is there.
  func land(_ key: Key, _ number: UInt64, keep: () async -> Void) async {
    await inTurn(of: key) {
      if land(key, number) { await keep() }
    }
  }

  /// Does `work` while no other load of `key` does the same, so that none is overtaken on the way.
  func inTurn<Value>(of key: Key, _ work: () async -> Value) async -> Value {
    while let turn = state.withLock({ $0.line(for: key) }) { await turn.value }
    let value = await work()
    let waiting = state.withLock { state -> [OneShot<Void>] in
      guard let index = state.entries.index(forKey: key) else { return [] }
      return state.entries.values[index].waiting.take() ?? []
    }
    for turn in waiting { turn.settle(()) }
    return value
  }

  /// The load has ended, with a result or without.
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

  /// Returns when no key is being loaded.
  func emptied() async {
    let waiter = OneShot<Void>()
    state.withLock { state in
      if state.entries.isEmpty { waiter.settle(()) } else { state.awaitingEmptiness.append(waiter) }
    }
    await waiter.value
  }
}
