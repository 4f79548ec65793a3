internal import Synchronization

extension MemoryCache {
  /// A value with the details of its entry.
  struct Found {
    let value: Value
    let expiry: Expiry?
    let response: LoadedResponse?
  }

  /// Returns the value of `key` with its expiry, and counts it as a hit or miss. One lock for both, so that they belong
  /// together.
  ///
  /// - Parameters:
  ///   - row: See ``value(for:row:)``.
  ///   - verdict: Decides about a value with an expiry. Called under the lock.
  func entry(
    for key: ResourceKey<Options>, row: Int?, verdict: (Expiry) -> ExpiryVerdict
  ) -> Found? {
    let (found, removed) = state.withLock { state -> (Found?, [Value]) in
      let index = state.table.find(key)
      guard index >= 0 else {
        return (state.use(key, row: row).map { Found(value: $0, expiry: nil, response: nil) }, [])
      }
      let (expiry, response) = (
        state.table.entries[Int(index)].expiry, state.table.entries[Int(index)].response
      )
      switch expiry.map(verdict) ?? .answer {
      case .answer:
        return (state.use(key, row: row).map { Found(value: $0, expiry: expiry, response: response) }, [])
      case .skip: return (nil, [])
      case .remove:
        let removed = state.remove(key)
        // Counts the miss.
        _ = state.use(key, row: row)
        return (nil, removed)
      }
    }
    // Freed after the lock.
    _ = consume removed
    return found
  }

  /// Returns the same without counting it or marking it as used.
  func peekEntry(
    _ key: ResourceKey<Options>, verdict: (Expiry) -> ExpiryVerdict = { _ in .answer }
  ) -> Found? {
    let (found, removed) = state.withLock { state -> (Found?, [Value]) in
      let index = state.table.find(key)
      guard index >= 0 else { return (nil, []) }
      let entry = state.table.entries[Int(index)]
      switch entry.expiry.map(verdict) ?? .answer {
      case .answer: return (Found(value: entry.value, expiry: entry.expiry, response: entry.response), [])
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

  /// Replaces the expiry of the value of `key`, if it is present, and the response if there is a new one.
  func setExpiry(_ expiry: Expiry, of key: ResourceKey<Options>, response: LoadedResponse? = nil) {
    state.withLock { state in
      let index = state.table.find(key)
      guard index >= 0 else { return }
      state.table.entries[Int(index)].expiry = expiry
      if let response { state.table.entries[Int(index)].response = response }
    }
  }
}
