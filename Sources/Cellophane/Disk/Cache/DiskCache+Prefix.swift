/// Beginnings of responses, each in a file of its own beside the entry's: a prefix never stands in the way of
/// an older response that is whole.
extension DiskCache {
  /// The prefix kept for `key`, or nil. Marks it as used; one that has expired is removed.
  public nonisolated func prefix(for key: ResponseKey) async -> StoredPrefix? {
    guard let place = place(of: key, .prefix), let file = await contents(of: place.name) else { return nil }
    switch Entry.open(consume file, key: place.key) {
    case .prefix(let prefix):
      if !prefix.isExpired(at: now) { return prefix }
      await remove(place.name)
    case .response, .corrupt:
      await removeCorrupt(place.name)
    case .otherKey:
      break
    }
    return nil
  }

  /// Keeps `prefix` in place of an earlier one for `key`, under the rules of ``store(_:for:)``.
  ///
  /// Nothing is written, and an earlier prefix is removed, when it has no bytes or all of them.
  public nonisolated func store(_ prefix: StoredPrefix, for key: ResponseKey) async {
    guard let place = place(of: key, .prefix) else { return }
    guard prefix.isPartial else { return await remove(place.name) }
    let stored = StoredResponse(
      status: prefix.status, headers: prefix.headers, body: prefix.bytes, storedAt: prefix.storedAt)
    await store(stored, wholeLength: prefix.total.map(UInt64.init) ?? Entry.unknownLength, at: place)
  }

  /// Removes the prefix kept for `key`, if any.
  public func removePrefix(for key: ResponseKey) {
    if let place = place(of: key, .prefix) { remove(place.name) }
  }
}
