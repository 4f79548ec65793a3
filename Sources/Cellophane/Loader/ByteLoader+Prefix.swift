/// The beginnings of responses whose transfers did not come to their end, on disk.
extension ByteLoader {
  /// What is to be continued for `errand`, from a transfer that is being given up or from disk; nil when the caller
  /// asks for a part itself, or anew.
  nonisolated func prefix(for errand: Errand) async -> Resumption? {
    guard errand.terms.mayUseStored, !errand.headers.isConditional, errand.key.origin.scheme != "file" else {
      return nil
    }
    if let rest = await departures.rest(of: errand.key) { return rest }
    return await disk?.prefix(for: diskKey(of: errand.key)).flatMap {
      Resumption($0, limit: limits.bodyBytes)
    }
  }

  /// Puts `prefix` on disk in place of `former`, which was there; events call it by `key`.
  nonisolated func keep(
    _ prefix: Resumption?, insteadOf former: Resumption?, for errand: Errand, as key: ResponseKey
  ) async {
    guard let disk, errand.mayLeaveSomething else { return }
    if let prefix, let former, prefix.isSame(as: former) { return }
    if let prefix, let stored = prefix.stored {
      await disk.store(stored, for: diskKey(of: errand.key))
      events.emit(.prefixKept(key, bytes: prefix.bytes.count))
    } else if former != nil {
      await disk.removePrefix(for: diskKey(of: errand.key))
    }
  }
}

extension Errand {
  /// Whether anything of what it brings may be kept.
  var mayLeaveSomething: Bool { terms.mayStore && key.origin.scheme != "file" }
}
