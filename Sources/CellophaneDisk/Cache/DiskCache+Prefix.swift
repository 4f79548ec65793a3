/// Prefixes of responses. Each prefix is a separate file, so that it never displaces an older complete
/// response.
extension DiskCache {
  /// Returns the prefix stored for `key`, or nil. Marks it as used. An expired prefix is removed.
  package nonisolated func prefix(for key: ResponseKey) async -> StoredPrefix? {
    guard let location = location(of: key, .prefix), let file = await contents(of: location.name) else {
      return nil
    }
    switch Entry.open(consume file, key: location.key) {
    case .prefix(let prefix):
      if !prefix.isExpired(at: now) { return prefix }
      await remove(location.name)
    case .response, .corrupt:
      await removeCorrupt(location.name)
    case .otherKey:
      break
    }
    return nil
  }

  /// Writes `prefix`, replacing an earlier one for `key`, under the rules of ``store(_:for:)``.
  ///
  /// An empty or complete prefix is not written, and an earlier prefix is removed.
  package nonisolated func store(_ prefix: StoredPrefix, for key: ResponseKey) async {
    guard let location = location(of: key, .prefix) else { return }
    guard prefix.isPartial else { return await remove(location.name) }
    let stored = StoredResponse(
      status: prefix.status, headers: prefix.headers, body: prefix.bytes, storedAt: prefix.storedAt)
    await store(stored, totalLength: prefix.total.map(UInt64.init) ?? Entry.unknownLength, at: location)
  }

  /// Removes the prefix stored for `key`, if any.
  public func removePrefix(for key: ResponseKey) {
    if let location = location(of: key, .prefix) { remove(location.name) }
  }
}
