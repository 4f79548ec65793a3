/// Evicting without listing; see ``Recency``.
extension DiskCache {
  /// Notes that this cache wrote the file called `name`, which counts `cost`, in place of one that counted `former`.
  func noteWritten(_ name: String, cost: Int, former: Int?, in directory: any FileDirectory) {
    deviceRoom.noteWritten(cost)
    credit?.bytes += former ?? 0
    sweep?.noteWritten(name, cost: cost, former: former)
    guard let known = recency?.count else { return }
    // Twice as many as can be there: files written again and again.
    if known > limit / 2_048 {
      recency = nil
    } else if let file = Recency.File(name, used: directory.now, cost: cost) {
      recency?.insert(file)
    }
  }

  /// A name for a file that nobody shall find.
  func temporaryName() -> String? {
    guard let holder = lease?.holder else { return nil }
    lease?.files &+= 1
    return lease.map { EntryName.temporary($0.files, of: holder) }
  }

  /// Whether this cache knows what was used when; forgets what it knew too long ago.
  func isRecencyCurrent(at now: Duration) -> Bool {
    if recency?.isCurrent(at: now) == true { return true }
    recency = nil
    return false
  }

  /// Evicts `bytes` of what was used least recently; false when this cache does not know enough for that, or may not.
  func evict(_ bytes: Int, in directory: any FileDirectory) throws(FileSystemError) -> Bool {
    let now = directory.now
    guard isRecencyCurrent(at: now) else { return false }
    dateUses()
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
        // One file may be odd; where so many cannot be removed, none can.
        if failures == 8 { return false }
      }
    }
    return true
  }

  /// What was evicted: all that `file` counts or, when it was used since, nothing.
  private func evict(
    _ file: Recency.File, in directory: any FileDirectory, at now: Duration
  ) throws(FileSystemError) -> Int {
    let name = file.name
    let entry = try directory.entry(name)
    guard entry.isRegular else { return 0 }
    // What is dated in the future was last used before the clock was set back.
    let seen = Ledger.cost(ofFileSize: entry.size)
    if entry.used <= now + Self.dateResolution,
      let latest = Recency.File(name, used: entry.used, cost: seen), latest > file
    {
      recency?.insert(latest)
      return 0
    }
    let cost = try takeAway(name, in: directory) ?? seen
    count { counters in
      counters.evictions += 1
      counters.evictedBytes += cost
    }
    return cost
  }

  /// Removes a file, and notes what it counted; nil when that is not known for sure. It is looked up under a name that
  /// nobody else writes to: what is taken off the ledger must be what was removed.
  @discardableResult
  func takeAway(_ name: String, in directory: any FileDirectory) throws(FileSystemError) -> Int? {
    guard let temporary = temporaryName() else {
      try directory.remove(name)
      return nil
    }
    do throws(FileSystemError) {
      _ = try directory.rename(name, to: temporary)
    } catch {
      guard error.kind != .notFound else { throw error }
      // A full device may have no room for another name.
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
      // The sweep would believe that what it listed is gone when there is another file of that name.
      sweep = nil
      throw error
    }
    credit?.bytes += cost ?? 0
    if let cost { sweep?.noteTakenAway(name, cost: cost) }
    return cost
  }
}
