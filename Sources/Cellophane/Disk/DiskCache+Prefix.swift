/// Beginnings of responses, each in a file of its own beside the entry's: a prefix never stands in the way of
/// an older response that is whole.
extension DiskCache {
  /// The prefix kept for `key`, or nil. Marks it as used; one that has expired is removed.
  public func prefix(for key: ResponseKey) -> StoredPrefix? {
    guard let place = place(of: key, .prefix), let file = contents(of: place.path) else { return nil }
    switch Entry.open(consume file, key: place.key) {
    case .prefix(let prefix):
      if !prefix.isExpired(at: now) { return prefix }
      remove(place.path)
    case .response, .corrupt:
      removeCorrupt(place.path)
    case .otherKey:
      break
    }
    return nil
  }

  /// Keeps `prefix` in place of an earlier one for `key`, under the rules of ``store(_:for:)``.
  ///
  /// Nothing is written, and an earlier prefix is removed, when it has no bytes or all of them.
  public func store(_ prefix: StoredPrefix, for key: ResponseKey) {
    guard let place = place(of: key, .prefix) else { return }
    guard prefix.isPartial else { return remove(place.path) }
    let stored = StoredResponse(
      status: prefix.status, headers: prefix.headers, body: prefix.bytes, storedAt: prefix.storedAt)
    store(stored, wholeLength: prefix.total.map(UInt64.init) ?? Entry.unknownLength, at: place)
  }

  /// Removes the prefix kept for `key`, if any.
  public func removePrefix(for key: ResponseKey) {
    if let place = place(of: key, .prefix) { remove(place.path) }
  }
}
