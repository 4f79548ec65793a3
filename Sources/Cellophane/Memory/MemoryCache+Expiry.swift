internal import Synchronization

extension MemoryCache {
  /// Returns the value of `key` with its expiry, and counts it as a hit or miss. One lock for both, so that they belong
  /// together.
  ///
  /// - Parameters:
  ///   - row: See ``value(for:row:)``.
  ///   - verdict: Decides about a value with an expiry. Called under the lock.
  func entry(
    for key: ResourceKey<Options>, row: Int?, verdict: (Expiry) -> ExpiryVerdict
  ) -> (value: Value, expiry: Expiry?)? {
    let (found, removed) = state.withLock { state -> ((value: Value, expiry: Expiry?)?, [Value]) in
      let index = state.table.find(key)
      guard index >= 0, let expiry = state.table.entries[Int(index)].expiry else {
        return (state.use(key, row: row).map { ($0, nil) }, [])
      }
      switch verdict(expiry) {
      case .answer: return (state.use(key, row: row).map { ($0, expiry) }, [])
      case .skip: return (nil, [])
      case .remove:
        let removed = state.remove(key)
        return (state.use(key, row: row).map { ($0, nil) }, removed)
      }
    }
    // Freed after the lock.
    _ = consume removed
    return found
  }

  /// Returns the same without counting it or marking it as used.
  func peekEntry(
    _ key: ResourceKey<Options>, verdict: (Expiry) -> ExpiryVerdict = { _ in .answer }
  ) -> (value: Value, expiry: Expiry?)? {
    let (found, removed) = state.withLock { state -> ((value: Value, expiry: Expiry?)?, [Value]) in
      let index = state.table.find(key)
      guard index >= 0 else { return (nil, []) }
      let entry = state.table.entries[Int(index)]
      switch entry.expiry.map(verdict) ?? .answer {
      case .answer: return ((entry.value, entry.expiry), [])
      case .skip: return (nil, [])
      case .remove: return (nil, state.remove(key))
      }
    }
    // Freed after the lock.
    _ = consume removed
    return found
  }

  /// Returns the expiry of the value of `key`, if it has one.
  func expiry(of key: ResourceKey<Options>) -> Expiry? { peekEntry(key)?.expiry }

  /// Replaces the expiry of the value of `key`, if it is present.
  func setExpiry(_ expiry: Expiry, of key: ResourceKey<Options>) {
    state.withLock { state in
      let index = state.table.find(key)
      if index >= 0 { state.table.entries[Int(index)].expiry = expiry }
    }
  }
}
