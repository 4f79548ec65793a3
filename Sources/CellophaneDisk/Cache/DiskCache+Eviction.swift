/// Eviction without listing the directory; see ``Recency``.
extension DiskCache {
  /// Records that this cache wrote the file `name` with `cost`, replacing a file with the cost `former`.
  func noteWritten(_ name: String, cost: Int, former: Int?, in directory: any FileDirectory) {
    deviceSpace.noteWritten(cost)
    credit?.bytes += former ?? 0
    sweep?.noteWritten(name, cost: cost, former: former)
    guard let known = recency?.count else { return }
    // Twice the number of files that can exist: the heap contains outdated entries of rewritten files.
    if known > limit / 2_048 {
      recency = nil
    } else if let file = Recency.File(name, used: directory.now, cost: cost) {
      recency?.insert(file)
    }
  }

  /// Returns a new name for a temporary file; nil without a lease.
  func temporaryName() -> String? {
    guard let holder = lease?.holder else { return nil }
    lease?.files &+= 1
    return lease.map { EntryName.temporary($0.files, of: holder) }
  }

  /// Returns whether the recency of this cache is usable; discards it if it is too old.
  func isRecencyCurrent(at now: Duration) -> Bool {
    if recency?.isCurrent(at: now) == true { return true }
    recency = nil
    return false
  }

  /// Evicts `bytes` of the least recently used entries. False if this cache does not know enough entries, or
  /// if removing them fails.
  func evict(_ bytes: Int, in directory: any FileDirectory) throws(FileSystemError) -> Bool {
    let now = directory.now
    guard isRecencyCurrent(at: now) else { return false }
    writeUseDates()
    var missing = bytes
    var failures = 0
    while missing > 0 {
      guard let file = recency?.popFirst() else {
        recency = nil
        return false
      }
      do throws(FileSystemError) {
        missing -= try evict(file, in: directory, at: now)
      } catch {
        guard error.kind != .notFound else { continue }
        count(error)
        failures += 1
        // A single file may be unremovable; after eight failures probably all are.
        if failures == 8 { return false }
      }
    }
    return true
  }

  /// Evicts one file. Returns its cost, or 0 if it was used since it was recorded.
  private func evict(
    _ file: Recency.File, in directory: any FileDirectory, at now: Duration
  ) throws(FileSystemError) -> Int {
    let name = file.name
    let entry = try directory.entry(name)
    guard entry.isRegular else { return 0 }
    // A date in the future is from before the clock was set back.
    let seen = Ledger.cost(ofFileSize: entry.size)
    if entry.used <= now + Self.dateResolution,
      let latest = Recency.File(name, used: entry.used, cost: seen), latest > file
    {
      recency?.insert(latest)
      return 0
    }
    let cost = try removeAndCredit(name, in: directory) ?? seen
    count { counters in
      counters.evictions += 1
      counters.evictedBytes += cost
    }
    return cost
  }

  /// Removes a file and credits its cost; nil if the cost is uncertain.
  ///
  /// The file is first renamed to a name that no other process writes to: the credited cost must be that of
  /// the removed file.
  @discardableResult
  func removeAndCredit(_ name: String, in directory: any FileDirectory) throws(FileSystemError) -> Int? {
    guard let temporary = temporaryName() else {
      try directory.remove(name)
      return nil
    }
    do throws(FileSystemError) {
      _ = try directory.rename(name, to: temporary)
    } catch {
      guard error.kind != .notFound else { throw error }
      // A full device may have no space for another name.
      count(error)
      try directory.remove(name)
      return nil
    }
    var cost: Int?
    do throws(FileSystemError) {
      let entry = try directory.entry(temporary)
      if entry.isRegular { cost = Ledger.cost(ofFileSize: entry.size) }
    } catch {
      count(error)
    }
    do throws(FileSystemError) {
      try directory.remove(temporary)
    } catch {
      // The sweep would treat the listed file as gone although another file has its name.
      sweep = nil
      throw error
    }
    credit?.bytes += cost ?? 0
    if let cost { sweep?.noteRemovedFile(name, cost: cost) }
    return cost
  }
}
