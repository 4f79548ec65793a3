internal import Synchronization

/// How the limit holds, with several processes writing at once and any of them dying at any moment.
///
/// A write is paid from a lease, which the ledger counts as if it were written already; so files and leases
/// together never exceed the limit, and no lock is held while anything is written. Each holder of a lease
/// claims a file that says how much it may write. When it dies the claim ends with it, and the next sweep
/// removes that file and what was in the making.
extension DiskCache {
  /// Puts a file with `parts` in the place of what is called `name`.
  func write(_ parts: [[UInt8]], cost: Int, to name: String) {
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        try put(parts, cost: cost, as: name)
      } catch {
        // The directory was deleted or moved, or somebody emptied it.
        guard error.kind == .notFound else { throw error }
        if let directory = shared.withLock({ $0.directory }) { forget(directory) }
        lease = nil
        sweep = nil
        try put(parts, cost: cost, as: name)
      }
      count { $0.stores += 1 }
    } catch {
      count(error)
      // What is there is out of date.
      try? openDirectory(isMade: false).remove(name)
    }
  }

  /// Waits for what runs in the background, and gives back what is leased and not spent. For the end of a
  /// program and for tests; the cache may be used again.
  public func settle() async {
    await finishBackgroundWork()
    guard let lease else { return }
    self.lease = nil
    do throws(FileSystemError) {
      let directory = try openDirectory(isMade: false)
      try withLedger(of: directory) { contents, replace throws(FileSystemError) in
        var ledger = Ledger(contents)
        guard ledger.bytes != .max else { return }
        ledger.bytes = max(0, ledger.bytes - lease.unspent)
        // A sweep that runs now may miss what was written and will not find the holder's file.
        ledger.leased &+= UInt64(lease.recorded ?? 0)
        if lease.recorded != nil { ledger.holders -= min(1, ledger.holders) }
        try replace(ledger.encoded)
      }
      try directory.remove(EntryName.lease(of: lease.holder))
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  package func finishBackgroundWork() async {
    dateUses()
    await sweeping?.value
  }

  private func put(_ parts: [[UInt8]], cost: Int, as name: String) throws(FileSystemError) {
    let directory = try openDirectory(isMade: true)
    let temporary = try spend(cost, in: directory)
    do throws(FileSystemError) {
      try directory.create(temporary, parts)
      try directory.rename(temporary, to: name)
    } catch {
      if (try? directory.remove(temporary)) != nil { lease?.unspent += cost }
      throw error
    }
  }

  /// Takes `cost` bytes off the lease, and returns a name for what they buy.
  private func spend(_ cost: Int, in directory: any FileDirectory) throws(FileSystemError) -> String {
    var lease = try leaseWithRoom(for: cost, in: directory)
    lease.unspent -= cost
    lease.files &+= 1
    self.lease = lease
    return EntryName.temporary(lease.files, of: lease.holder)
  }

  private func leaseWithRoom(
    for cost: Int, in directory: any FileDirectory
  ) throws(FileSystemError) -> Lease {
    if let lease, lease.unspent >= cost { return lease }
    guard directory.isInPlace else {
      throw FileSystemError(.notFound, operation: "use", path: self.directory)
    }
    // A sweep that makes no room may have been under way here, and one of another process that began earlier
    // may write a bound that knows nothing of what this one evicts. Eight in a row mean that there is no room.
    for _ in 0..<8 {
      if let lease = try extendedLease(by: cost, in: directory) { return lease }
      try sweepAtOnce()
    }
    throw FileSystemError(.full, operation: "make room in", path: self.directory)
  }

  /// A lease that has `cost` bytes unspent; nil when there is no room.
  private func extendedLease(
    by cost: Int, in directory: any FileDirectory
  ) throws(FileSystemError) -> Lease? {
    var lease = if let lease { lease } else { try newLease(in: directory) }
    self.lease = lease
    let missing = cost - lease.unspent
    let wanted = max(missing, Lease.size(limit: limit) - lease.unspent)
    let (limit, now) = (limit, now)
    let (given, wantsSweep) = try withLedger(of: directory) {
      [lease] contents, replace throws(FileSystemError) -> (Int?, Bool) in
      var ledger = Ledger(contents)
      guard let given = ledger.lease(wanted, atLeast: missing, limit: limit) else { return (nil, false) }
      if lease.recorded == nil { ledger.holders &+= 1 }
      ledger.leased &+= lease.spent
      try lease.claim.replace(with: Lease.encoded(lease.unspent + given))
      try replace(ledger.encoded)
      return (given, ledger.wantsSweep(at: now, limit: limit))
    }
    guard let given else { return nil }
    lease.unspent += given
    lease.recorded = lease.unspent
    self.lease = lease
    if wantsSweep { sweepInBackground() }
    return lease
  }

  /// Runs `body` while nobody else reads or writes the ledger. What stands in its place that is no file is
  /// removed: a link could lead anywhere.
  func withLedger<R: Sendable>(
    of directory: any FileDirectory,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    do throws(FileSystemError) {
      return try directory.withLock(EntryName.total, body)
    } catch {
      guard error.kind == .notAFile else { throw error }
      try directory.remove(EntryName.total)
      return try directory.withLock(EntryName.total, body)
    }
  }

  private func newLease(in directory: any FileDirectory) throws(FileSystemError) -> Lease {
    let holder = EntryName.newHolder()
    guard let claim = try directory.claim(EntryName.lease(of: holder), isMade: true) else {
      // Nobody else draws the same 64 bits; a sweep may have taken the file for one of a dead holder.
      throw FileSystemError(.notFound, operation: "claim", path: self.directory)
    }
    return Lease(holder: holder, claim: claim)
  }
}
