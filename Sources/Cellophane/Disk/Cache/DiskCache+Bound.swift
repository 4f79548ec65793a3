internal import Synchronization

/// How the limit holds, with several processes writing at once and any of them dying at any moment.
///
/// A write is paid from a lease, which the ledger counts as if it were written already; so files and leases
/// together never exceed the limit, and no lock is held while anything is written. Each holder of a lease
/// claims a file that says how much it may write. When it dies the claim ends with it, and the next sweep
/// removes that file and what was in the making.
extension DiskCache {
  /// Puts a file with `parts` in the place of what is called `name`; returns why it could not.
  func write(_ parts: [[UInt8]], cost: Int, to name: String, isWholeResponse: Bool) -> StoreFailure? {
    do throws(FileSystemError) {
      let isStored: Bool
      do throws(FileSystemError) {
        isStored = try put(parts, cost: cost, as: name)
      } catch {
        switch error.kind {
        // The directory was deleted or moved, or somebody emptied it.
        case .notFound: beginAnew()
        // What is in its place is no file of ours, and can be taken away.
        case .notAFile where (try? openDirectory(isMade: false).remove(name)) != nil: break
        case .full where makeRoom(for: cost, as: name): break
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
      guard let directory = try? openDirectory(isMade: false) else { return .failed(error) }
      // What is there is out of date.
      try? directory.remove(name)
      // The ledger gave nothing, and perhaps never will.
      if let lease, lease.recorded == nil {
        self.lease = nil
        try? directory.remove(EntryName.lease(of: lease.holder))
      }
      return .failed(error)
    }
  }

  /// Forgets all that is known of the directory, which is another by now, or whose files somebody took away.
  func beginAnew() {
    if let directory = shared.withLock({ $0.directory }) { forget(directory) }
    lease = nil
    credit = nil
    sweep = nil
    recency = nil
  }

  /// Waits for what runs in the background, and gives back what is leased and not spent. For the end of a
  /// program and for tests; the cache may be used again.
  public func settle() async {
    await finishBackgroundWork()
    guard let lease else { return }
    let credit = credit
    self.lease = nil
    self.credit = nil
    do throws(FileSystemError) {
      let directory = try openDirectory(isMade: false)
      // A sweep that runs now may miss what was written and will not find the holder's file.
      let recorded = UInt64(lease.recorded ?? 0)
      let isKnown = try withLedger(of: directory, isMade: false) {
        contents, replace throws(FileSystemError) in
        var ledger = Ledger(contents)
        guard ledger.bytes != .max else { return false }
        ledger.take(credit)
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
    dateUses()
    await sweeping?.value
  }

  /// False when there is no room yet.
  private func put(_ parts: [[UInt8]], cost: Int, as name: String) throws(FileSystemError) -> Bool {
    let directory = try openDirectory(isMade: true)
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
    // A large response's lease would count beside the response in the sweep of another process: with several, half of
    // a small cache would stay empty.
    if let lease, lease.spent > UInt64(max(4_096, Lease.size(limit: limit))) {
      do throws(FileSystemError) {
        _ = try recordSpent(in: directory)
      } catch {
        if error.kind != .notFound { count(error) }
      }
    }
    return true
  }

  /// Records what of the lease was written: from now on a sweep that lists the directory need not count it twice. What
  /// one that runs now may have missed it counts by the ledger.
  func recordSpent(in directory: any FileDirectory) throws(FileSystemError) -> Ledger {
    let lease = lease.flatMap { $0.recorded == nil ? nil : $0 }
    let ledger = try withLedger(of: directory, isMade: lease != nil) {
      contents, replace throws(FileSystemError) in
      var ledger = Ledger(contents)
      guard let lease else { return ledger }
      ledger.leased &+= lease.spent
      // Before the file says less.
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

  /// Takes `cost` bytes off the lease, and returns a name for what they buy; nil when there is no room yet.
  private func spend(_ cost: Int, in directory: any FileDirectory) throws(FileSystemError) -> String? {
    guard var lease = try leaseWithRoom(for: cost, in: directory) else { return nil }
    lease.unspent -= cost
    self.lease = lease
    return temporaryName()
  }

  private func leaseWithRoom(
    for cost: Int, in directory: any FileDirectory
  ) throws(FileSystemError) -> Lease? {
    if let lease, lease.unspent >= cost { return lease }
    guard directory.isInPlace else {
      throw FileSystemError(.notFound, operation: "use", path: self.directory)
    }
    // What this cache evicts is taken off and leased in one turn at the ledger, so others cannot take it first. A
    // round fails only when a sweep of another process ended in it, which voids the credit: each does one when it
    // first finds no room, and one an hour. Four rounds are needed without: no room, swept, evicted, leased.
    for _ in 0..<12 {
      switch try extendedLease(by: cost, in: directory) {
      case .given(let lease, let excess):
        // A sixteenth is kept free, so that who comes later need not wait for room.
        if excess > 0, try !evict(excess, in: directory) { sweepInBackground() }
        return self.lease ?? lease
      case .short(let shortage):
        if let shortage, try evict(shortage, in: directory) { continue }
        guard try sweepAtOnce() else { return nil }
      }
    }
    return nil
  }

  /// How much may be taken before something is evicted.
  var comfortable: Int { limit - limit / 16 }

  /// What a turn at the ledger came to.
  private enum Turn {
    /// A lease with enough unspent, and how much more is taken than is comfortable.
    case given(Lease, excess: Int)
    /// So much must be evicted first; nil when nobody knows how much.
    case short(Int?)
  }

  private func extendedLease(
    by cost: Int, in directory: any FileDirectory
  ) throws(FileSystemError) -> Turn {
    var lease = if let lease { lease } else { try newLease(in: directory) }
    self.lease = lease
    let missing = cost - lease.unspent
    let wanted = max(missing, Lease.size(limit: limit) - lease.unspent)
    let (limit, now, credit) = (limit, now, credit)
    let (given, ledger) = try withLedger(of: directory, isMade: true) {
      [lease] contents, replace throws(FileSystemError) -> (Int?, Ledger) in
      var ledger = Ledger(contents)
      ledger.take(credit)
      guard let given = ledger.lease(wanted, atLeast: missing, limit: limit) else { return (nil, ledger) }
      if lease.recorded == nil { ledger.holders &+= 1 }
      ledger.leased &+= lease.spent
      try lease.claim.replace(with: Lease.encoded(lease.unspent + given))
      try replace(ledger.encoded)
      return (given, ledger)
    }
    guard let given else {
      if credit?.sweeps != ledger.sweeps { self.credit = Credit(sweeps: ledger.sweeps) }
      return .short(ledger.shortage(of: wanted, limit: limit))
    }
    self.credit = Credit(sweeps: ledger.sweeps)
    sweep?.leased &+= UInt64(given) &+ lease.spent
    lease.unspent += given
    lease.recorded = lease.unspent
    self.lease = lease
    if ledger.wantsSweep(at: now) { sweepInBackground() }
    return .given(lease, excess: ledger.bytes - comfortable)
  }

  /// Runs `body` while nobody else reads or writes the ledger. What stands in its place that is no file of
  /// ours is removed: a link could lead anywhere.
  func withLedger<R: Sendable>(
    of directory: any FileDirectory, isMade: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    // Who has waited for it in vain does not wait again before it is free.
    let waits = !isLedgerHeld
    isLedgerHeld = false
    do throws(FileSystemError) {
      return try directory.withLock(EntryName.total, isMade: isMade, waits: waits, body)
    } catch {
      isLedgerHeld = error.kind == .busy
      guard error.kind == .notAFile else { throw error }
      try directory.remove(EntryName.total)
      return try directory.withLock(EntryName.total, isMade: isMade, waits: waits, body)
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
