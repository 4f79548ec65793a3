internal import Synchronization

/// The enforcement of the limit while several processes write and may be killed at any time.
///
/// A write spends bytes of a lease, and the ledger counts a lease as already written. Files and leases
/// together therefore never exceed the limit, and no lock is held during a write. Each holder of a lease
/// claims a file that records how much it may write. The claim ends when the process ends. The next sweep
/// then removes that file and the holder's unfinished files.
extension DiskCache {
  /// Writes a file with `parts` as `name`, replacing an earlier one. If that fails, removes the earlier one, which is
  /// out of date, and returns the reason.
  func write(_ parts: [[UInt8]], cost: Int, to name: String, isWholeResponse: Bool) -> StoreFailure? {
    do throws(FileSystemError) {
      let isStored: Bool
      do throws(FileSystemError) {
        isStored = try put(parts, cost: cost, as: name)
      } catch {
        switch error.kind {
        // The directory was deleted or moved, or its files were removed.
        case .notFound: reset()
        // The existing file was not written by this cache and can be removed.
        case .notAFile where (try? openDirectory(creating: false).remove(name)) != nil: break
        case .full where makeSpace(for: cost, as: name): break
        default: throw error
        }
        isStored = try put(parts, cost: cost, as: name)
      }
      if !isStored {
        count { $0.refused += 1 }
        remove(name)
        return .noRoom
      }
      if isWholeResponse { count { $0.stores += 1 } }
      return nil
    } catch {
      count(error)
      guard let directory = try? openDirectory(creating: false) else { return .failed(error) }
      // The existing file is out of date.
      try? directory.remove(name)
      // The ledger granted no bytes to this lease, and may never do so.
      if let lease, lease.recorded == nil {
        self.lease = nil
        try? directory.remove(EntryName.lease(of: lease.holder))
      }
      return .failed(error)
    }
  }

  /// Discards all state about the directory after it was replaced or its files were removed.
  func reset() {
    if let directory = shared.withLock({ $0.directory }) { forget(directory) }
    lease = nil
    credit = nil
    sweep = nil
    recency = nil
  }

  /// Waits for background work and returns unspent leased bytes to the ledger. For the end of a program and
  /// for tests; the cache may be used again.
  public func settle() async {
    await finishBackgroundWork()
    guard let lease else { return }
    let credit = credit
    self.lease = nil
    self.credit = nil
    do throws(FileSystemError) {
      let directory = try openDirectory(creating: false)
      // A running sweep may have missed written files, and will not find the holder's file.
      let recorded = UInt64(lease.recorded ?? 0)
      let isKnown = try withLedger(of: directory, creating: false) {
        contents, replace throws(FileSystemError) in
        var ledger = Ledger(contents)
        guard ledger.bytes != .max else { return false }
        ledger.apply(credit)
        ledger.bytes = max(0, ledger.bytes - lease.unspent)
        ledger.leased &+= recorded
        if lease.recorded != nil { ledger.holders -= min(1, ledger.holders) }
        try replace(ledger.encoded)
        return true
      }
      if isKnown { sweep?.leased &+= recorded }
      try directory.remove(EntryName.lease(of: lease.holder))
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  package func finishBackgroundWork() async {
    writeUseDates()
    await sweeping?.value
  }

  /// Writes a file; false if there is no space yet.
  private func put(_ parts: [[UInt8]], cost: Int, as name: String) throws(FileSystemError) -> Bool {
    let directory = try openDirectory(creating: true)
    guard let temporary = try spend(cost, in: directory) else { return false }
    let replaced: Int?
    do throws(FileSystemError) {
      try directory.create(temporary, parts)
      replaced = try directory.rename(temporary, to: name)
    } catch {
      if (try? directory.remove(temporary)) != nil {
        lease?.unspent += cost
      } else {
        sweep?.noteWritten(temporary, cost: cost, former: nil)
      }
      throw error
    }
    noteWritten(name, cost: cost, former: replaced.map(Ledger.cost), in: directory)
    // After a large response the lease would count in addition to the response in another process's sweep.
    // With several processes, half of a small cache would stay empty.
    if let lease, lease.spent > UInt64(max(4_096, Lease.size(limit: limit))) {
      do throws(FileSystemError) {
        _ = try recordSpent(in: directory)
      } catch {
        if error.kind != .notFound { count(error) }
      }
    }
    return true
  }

  /// Records the spent part of the lease, so that a sweep that starts later does not count it twice, and returns the
  /// ledger. A running sweep of another process takes the bytes from the ledger.
  func recordSpent(in directory: any FileDirectory) throws(FileSystemError) -> Ledger {
    let lease = lease.flatMap { $0.recorded == nil ? nil : $0 }
    let ledger = try withLedger(of: directory, creating: lease != nil) {
      contents, replace throws(FileSystemError) in
      var ledger = Ledger(contents)
      guard let lease else { return ledger }
      ledger.leased &+= lease.spent
      // Before the holder's file states less.
      try replace(ledger.encoded)
      try lease.claim.replace(with: Lease.encoded(lease.unspent))
      return ledger
    }
    if let lease {
      self.lease?.recorded = lease.unspent
      sweep?.leased &+= lease.spent
    }
    return ledger
  }

  /// Takes `cost` bytes off the lease and returns a temporary file name for them; nil if there is no space
  /// yet.
  private func spend(_ cost: Int, in directory: any FileDirectory) throws(FileSystemError) -> String? {
    guard var lease = try leaseWithSpace(for: cost, in: directory) else { return nil }
    lease.unspent -= cost
    self.lease = lease
    return temporaryName()
  }

  private func leaseWithSpace(
    for cost: Int, in directory: any FileDirectory
  ) throws(FileSystemError) -> Lease? {
    if let lease, lease.unspent >= cost { return lease }
    guard directory.isInPlace else {
      throw FileSystemError(.notFound, operation: "use", path: self.directory)
    }
    // One transaction on the ledger credits the evicted bytes and leases them, so that no other process can
    // take them. A round fails only if another process's sweep ended during it, which voids the credit. Each
    // process sweeps when it first finds no space, and once an hour. Without other sweeps four rounds are
    // needed: no space, swept, evicted, leased.
    for _ in 0..<12 {
      switch try extendLease(by: cost, in: directory) {
      case .granted(let lease, let excess):
        // A sixteenth of the limit is kept free, so that later stores need not wait for space.
        if excess > 0, try !evict(excess, in: directory) { sweepInBackground() }
        return self.lease ?? lease
      case .insufficient(let shortage):
        if let shortage, try evict(shortage, in: directory) { continue }
        guard try sweepNow() else { return nil }
      }
    }
    return nil
  }

  /// The number of bytes above which entries are evicted ahead of need.
  var softLimit: Int { limit - limit / 16 }

  /// The result of a transaction on the ledger.
  private enum LeaseOutcome {
    /// The lease covers the cost; `excess` is the number of bytes above ``softLimit``.
    case granted(Lease, excess: Int)
    /// This number of bytes must be evicted first; nil if the number is unknown.
    case insufficient(Int?)
  }

  private func extendLease(
    by cost: Int, in directory: any FileDirectory
  ) throws(FileSystemError) -> LeaseOutcome {
    var lease = if let lease { lease } else { try newLease(in: directory) }
    self.lease = lease
    let missing = cost - lease.unspent
    let wanted = max(missing, Lease.size(limit: limit) - lease.unspent)
    let (limit, now, credit) = (limit, now, credit)
    let (granted, ledger) = try withLedger(of: directory, creating: true) {
      [lease] contents, replace throws(FileSystemError) -> (Int?, Ledger) in
      var ledger = Ledger(contents)
      ledger.apply(credit)
      guard let granted = ledger.lease(wanted, atLeast: missing, limit: limit) else { return (nil, ledger) }
      if lease.recorded == nil { ledger.holders &+= 1 }
      ledger.leased &+= lease.spent
      try lease.claim.replace(with: Lease.encoded(lease.unspent + granted))
      try replace(ledger.encoded)
      return (granted, ledger)
    }
    guard let granted else {
      if credit?.sweeps != ledger.sweeps { self.credit = Credit(sweeps: ledger.sweeps) }
      return .insufficient(ledger.shortage(of: wanted, limit: limit))
    }
    self.credit = Credit(sweeps: ledger.sweeps)
    sweep?.leased &+= UInt64(granted) &+ lease.spent
    lease.unspent += granted
    lease.recorded = lease.unspent
    self.lease = lease
    if ledger.needsSweep(at: now) { sweepInBackground() }
    return .granted(lease, excess: ledger.bytes - softLimit)
  }

  /// Runs `body` with exclusive access to the ledger. A file at its path that this cache did not write is
  /// removed: a symbolic link could lead anywhere.
  func withLedger<R: Sendable>(
    of directory: any FileDirectory, creating: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    // After a timeout the next attempts do not wait until the lock is free once.
    let waits = !isLedgerBusy
    isLedgerBusy = false
    do throws(FileSystemError) {
      return try directory.withLock(EntryName.ledger, creating: creating, waits: waits, body)
    } catch {
      isLedgerBusy = error.kind == .busy
      guard error.kind == .notAFile else { throw error }
      try directory.remove(EntryName.ledger)
      return try directory.withLock(EntryName.ledger, creating: creating, waits: waits, body)
    }
  }

  private func newLease(in directory: any FileDirectory) throws(FileSystemError) -> Lease {
    let holder = EntryName.newHolder()
    guard let claim = try directory.claim(EntryName.lease(of: holder), creating: true) else {
      // No other process draws the same 64 bits. A sweep may have removed the file as one of a dead holder.
      throw FileSystemError(.notFound, operation: "claim", path: self.directory)
    }
    return Lease(holder: holder, claim: claim)
  }
}
