/// The steps of a sweep.
extension DiskCache {
  /// Runs one step; false if the sweep is complete.
  func stepSweep() throws(FileSystemError) -> Bool {
    // Another call may have finished it.
    guard var sweep else { return false }
    self.sweep = nil
    sweep.unspent = lease?.unspent ?? 0
    // About a millisecond of work.
    if !sweep.isListed {
      let files = try sweep.listing.next(256)
      for file in files where !sweep.record(file) {
        let cost = Ledger.cost(ofFileSize: file.size)
        if removed(file.name, from: sweep.directory) { sweep.noteRemoved(cost) } else { sweep.used += cost }
      }
      if files.isEmpty {
        try checkHolders(of: &sweep)
        sweep.rank()
        sweep.isListed = true
      }
    } else if sweep.excess > 0, sweep.hasCandidates {
      for _ in 0..<64 where sweep.excess > 0 {
        guard let candidate = sweep.nextCandidate() else { break }
        evict(candidate, in: &sweep)
      }
    } else {
      try finish(sweep)
      return false
    }
    self.sweep = sweep
    return true
  }

  /// Counts the leases of all other holders, and removes the lease files and unfinished files of dead ones. Counts the
  /// unfinished files that remain.
  private func checkHolders(of sweep: inout Sweep) throws(FileSystemError) {
    var isAlive: [String: Bool] = [:]
    for holder in sweep.holders where holder != lease?.holder {
      let name = EntryName.lease(of: holder)
      // The lease of a dead holder counts in this sweep, too: its last writes may have escaped the listing.
      sweep.leases += (try? sweep.directory.open(name).end(64)).flatMap(Lease.amount) ?? 0
      isAlive[holder] = try isHolderAlive(holder, in: sweep.directory)
      if isAlive[holder] == false { _ = removed(name, from: sweep.directory) }
    }
    for (holder, file) in sweep.unfinished {
      // This cache has no unfinished files now. A holder may have appeared since the listing started.
      var isInProgress = isAlive[holder]
      if holder == lease?.holder { isInProgress = false }
      if isInProgress == nil { isInProgress = try isHolderAlive(holder, in: sweep.directory) }
      isAlive[holder] = isInProgress
      if isInProgress == true || !removed(file.name, from: sweep.directory) {
        sweep.used += file.cost
      } else {
        sweep.noteRemoved(file.cost)
      }
    }
  }

  private func isHolderAlive(
    _ holder: String, in directory: any FileDirectory
  ) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      return try directory.claim(EntryName.lease(of: holder), creating: false) == nil
    } catch {
      guard error.kind == .notFound else { throw error }
      return false
    }
  }

  private func evict(_ candidate: Sweep.Candidate, in sweep: inout Sweep) {
    if sweep.isChanged(candidate.name) { return }
    do throws(FileSystemError) {
      let used = try sweep.directory.entry(candidate.name).used
      if used != candidate.used, sweep.defers(candidate, used: used) { return }
    } catch {
      if error.kind == .notFound { sweep.used -= candidate.cost } else { count(error) }
      return
    }
    if removed(candidate.name, from: sweep.directory) {
      sweep.used -= candidate.cost
      sweep.noteRemoved(candidate.cost)
      count { counters in
        counters.evictions += 1
        counters.evictedBytes += candidate.cost
      }
    }
  }

  /// Writes the new bound to the ledger, if there is a ledger.
  private func finish(_ sweep: Sweep) throws(FileSystemError) {
    sweep.outcome.isComplete = true
    sweep.outcome.freed = sweep.freed
    if sweep.isNeeded { recency = sweep.recency }
    credit = nil
    do throws(FileSystemError) {
      let sweeps = try withLedger(of: sweep.directory, creating: false) {
        contents, replace throws(FileSystemError) in
        var ledger = Ledger(contents)
        var bytes = sweep.used
        let leasedByOthers = Int(clamping: ledger.leased &- sweep.before.leased &- sweep.leased)
        for part in [sweep.unlisted, leasedByOthers] {
          bytes = bytes.addingReportingOverflow(part).overflow ? .max : bytes + part
        }
        ledger.replaceBound(with: bytes, countedSince: sweep.before.sweeps, at: now)
        try replace(ledger.encoded)
        return ledger.sweeps
      }
      credit = Credit(sweeps: sweeps)
    } catch {
      if error.kind != .notFound { throw error }
    }
  }

  private func removed(_ name: String, from directory: any FileDirectory) -> Bool {
    do throws(FileSystemError) {
      try directory.remove(name)
      return true
    } catch {
      if error.kind == .notFound { return true }
      count(error)
      return false
    }
  }
}
