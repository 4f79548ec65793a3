internal import Synchronization

/// What is known of a value in memory whose origin wants to be asked about it while it answers
/// (`stale-while-revalidate`), or that answers no longer than its origin allows (``MemoryReuse/untilStale``).
@usableFromInline
struct Perishable: Sendable {
  /// From when on it is stale, and to be asked about, on the loader's timeline.
  var dueAt: Duration
  /// Tells the bytes that the value was made of from others: their checksum.
  let version: UInt64
  /// From when on it does not answer; nil for one that answers as long as it is there.
  var endsAt: Duration?
  /// Until when that is left, because its origin was asked.
  var pausedUntil = Duration.zero
}

extension MemoryCache {
  /// What is known of the value of `key`; nearly always nothing.
  func perishable(of key: ResourceKey<Options>) -> Perishable? {
    // Most origins never say so, and then a hit costs no second lock.
    guard hasPerishables.load(ordering: .relaxed) else { return nil }
    return state.withLock { $0.perishables[key] }
  }

  /// Changes what is known of the value of `key`, if it is still here.
  func update(_ perishable: Perishable, of key: ResourceKey<Options>) {
    state.withLock { state in
      if state.table.find(key) >= 0 { state.perishables[key] = perishable }
    }
  }
}
