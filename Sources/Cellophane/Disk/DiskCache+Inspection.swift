extension DiskCache {
  /// Counts what is in the directory. Time and memory grow with the number of entries.
  public func stats() -> DiskStatistics {
    let occupants = listed()
    return DiskStatistics(
      entries: occupants.count { $0.role == .entry }, prefixes: occupants.count { $0.role == .prefix },
      bytes: occupants.reduce(0) { $0 + $1.cost },
      limit: limit, counters: counters)
  }

  /// Every entry and prefix, sorted by URL. Reads only the end of each file, does not count as use, and leaves out what
  /// is damaged there.
  public func list() -> [DiskEntry] {
    var entries: [DiskEntry] = []
    for occupant in listed() where occupant.isKept {
      do throws(FileSystemError) {
        if let entry = try entry(occupant) { entries.append(entry) }
      } catch {
        if error.kind != .notFound { count(error) }
      }
    }
    return entries.sorted { ($0.url, $0.account ?? "") < ($1.url, $1.account ?? "") }
  }

  /// Reads every entry and prefix whole and removes the damaged ones. Does not count as use. An entry larger than the
  /// limit was written under another one; it is left and counts as unreadable.
  public func verify() -> DiskVerification {
    var result = DiskVerification()
    for occupant in listed() where occupant.isKept {
      guard !occupant.isRegular || occupant.size <= limit else {
        result.unreadable += 1
        continue
      }
      let path = path(of: occupant.name)
      do throws(FileSystemError) {
        // No key has no bytes, so an intact entry is always another key's.
        let file = occupant.isRegular ? try fileSystem.end(of: path, count: limit) : []
        if case .corrupt = Entry.open(file, key: []) {
          try fileSystem.remove(path)
          counters.corrupt += 1
          result.corrupt += 1
        } else {
          result.intact += 1
          result.bytes += occupant.size
        }
      } catch {
        guard error.kind != .notFound else { continue }
        count(error)
        result.unreadable += 1
      }
    }
    return result
  }

  private func listed() -> [Occupant] {
    do throws(FileSystemError) {
      return try occupants()
    } catch {
      if error.kind != .notFound { count(error) }
      return []
    }
  }

  private func entry(_ occupant: Occupant) throws(FileSystemError) -> DiskEntry? {
    guard occupant.isRegular else { return nil }
    let path = path(of: occupant.name)
    // Holds what follows the body in nearly all entries; a longer end is read again.
    var end = try fileSystem.end(of: path, count: 4_096)
    guard let length = Entry.endLength(of: end, fileSize: occupant.size), length <= limit else { return nil }
    end = length > end.count ? try fileSystem.end(of: path, count: length) : Array(end.suffix(length))
    guard let metadata = Entry.metadata(inEnd: end, fileSize: occupant.size),
      let (url, account) = ResponseKey.parts(ofCanonicalBytes: metadata.key)
    else { return nil }
    return DiskEntry(
      url: url, account: account, status: metadata.status, size: metadata.bodyLength,
      isPrefix: metadata.wholeLength > UInt64(metadata.bodyLength),
      freshness: Freshness(status: metadata.status, headers: metadata.headers, storedAt: metadata.storedAt),
      sinceUse: occupant.age)
  }
}
