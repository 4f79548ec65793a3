internal import Synchronization

/// Which of several loads of one key has the newest result: the one that was begun last, however long it took.
/// A reload runs beside a load that was begun before it; when that one ends last, it must not be kept.
///
/// Remembers only keys that are being loaded.
final class LandingOrder<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var running = 0
    var newestLanded: UInt64 = 0
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var begun: UInt64 = 0
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
      guard let entry = state.entries[key], number > entry.newestLanded else { return false }
      state.entries[key]?.newestLanded = number
      return true
    }
  }

  /// The load has ended, with a result or without.
  func end(_ key: Key) {
    state.withLock { state in
      state.entries[key]?.running -= 1
      if state.entries[key]?.running == 0 { state.entries[key] = nil }
    }
  }
}
