/// One pass over the directory that removes unusable files, evicts entries and counts the remaining bytes.
///
/// It consists of steps of bounded work without the lock, so that stores run between them.
///
/// The listing may miss files written during the sweep. This cache records its own writes and removals here
/// and counts them only from these records. Other processes pay their writes from leases: leases recorded in
/// the holders' files, and leases granted by the ledger during the sweep. The new bound counts both in full.
/// It may count bytes twice that the listing saw, but it is never too low.
///
/// If several processes rewrite a small cache completely during one sweep, much of it may stay empty until
/// the next sweep. Listed and missed files cannot be distinguished, and a lock would stall the writes of all
/// processes.
package struct Sweep {
  /// The goal of a sweep.
  struct Goal {
    /// The size in bytes above which entries are evicted.
    var threshold: Int
    /// The size in bytes to evict down to.
    var target: Int
    /// Whether leases count as used, because they will be written.
    var countsLeases: Bool
    /// Whether everything is removed.
    var removesAll = false
    /// The demand of a file that found no space on the device. It determines the number of evicted bytes,
    /// regardless of the bounds above.
    var spaceFor: DeviceSpace.Demand?
  }

  /// A file that may be evicted.
  struct Candidate {
    let name: String
    let used: Duration
    let cost: Int
    /// Whether eviction was deferred because the file was used after it was listed.
    var isDeferred = false
  }

  /// The outcome of a sweep, for the caller that started it. Steps of any caller advance the sweep.
  final class Outcome {
    var isComplete = false
    /// The number of removed bytes.
    var freed = 0
  }

  private(set) var goal: Goal
  let outcome = Outcome()
  let directory: any FileDirectory
  let listing: any FileListing
  /// The ledger at the start of the sweep.
  let before: Ledger
  /// The start time. It decides which prefixes are expired and which dates are in the future.
  let now: Duration
  /// The size of the remaining files in bytes.
  var used = 0
  /// The number of removed files, for progress.
  private(set) var removed = 0
  /// The size of the removed files in bytes.
  private(set) var freed = 0
  /// The bytes recorded in the files of other holders.
  var leases = 0
  /// The bytes by which this cache increased ``Ledger/leased`` since the sweep started.
  var leased: UInt64 = 0
  /// The unspent bytes of this cache's lease.
  var unspent = 0
  /// The files that may be evicted. After the listing: the files to evict, the next one last.
  private var candidates: [Candidate] = []
  /// Candidates that were used or rewritten after they were listed. They are evicted last.
  private var deferred: [Candidate] = []
  /// The files that this cache wrote since the sweep started and did not remove, with their cost. Not
  /// included in `used`.
  private var written: [String: Int] = [:]
  private var writtenBytes = 0
  /// The files that this cache removed since the sweep started. They may have been listed before.
  private var removedNames: Set<String> = []
  var holders: [String] = []
  var unfinished: [(holder: String, Candidate)] = []
  var isListed = false
  /// Whether the size exceeds the threshold.
  var isNeeded = false

  /// The remaining candidates and the files written since.
  var recency: Recency {
    var recency = Recency(at: now)
    for candidate in candidates + deferred where !isChanged(candidate.name) {
      if let file = Recency.File(candidate.name, used: candidate.used, cost: candidate.cost) {
        recency.insert(file)
      }
    }
    let latest = directory.now
    for (name, cost) in written {
      if let file = Recency.File(name, used: latest, cost: cost) { recency.insert(file) }
    }
    return recency
  }

  init(
    _ goal: Goal, of directory: any FileDirectory, before: Ledger
  ) throws(FileSystemError) {
    self.goal = goal
    self.directory = directory
    self.before = before
    now = directory.now
    listing = try directory.list()
  }

  /// The bytes written since the listing, or that may still be written.
  var unlisted: Int { leases + writtenBytes + unspent }

  /// The bytes compared with the goal.
  private var counted: Int { used + (goal.countsLeases ? unlisted : 0) }

  /// The number of bytes to evict.
  var excess: Int { counted - goal.target }

  var hasCandidates: Bool { !candidates.isEmpty || !deferred.isEmpty }

  /// Removes and returns the next file to evict.
  mutating func nextCandidate() -> Candidate? {
    if candidates.isEmpty {
      candidates = deferred.sorted { ($0.used, $0.name) > ($1.used, $1.name) }
      deferred = []
    }
    return candidates.popLast()
  }

  /// Defers a candidate that was used at `used`; false if it was deferred before.
  mutating func defers(_ candidate: Candidate, used: Duration) -> Bool {
    if candidate.isDeferred { return false }
    deferred.append(Candidate(name: candidate.name, used: used, cost: candidate.cost, isDeferred: true))
    return true
  }

  /// Records the removal of a file of `cost` bytes.
  mutating func noteRemoved(_ cost: Int) {
    removed += 1
    freed += cost
  }

  /// Records that this cache wrote the file `name` with `cost`, replacing a file with the cost `former`.
  mutating func noteWritten(_ name: String, cost: Int, former: Int?) {
    if let earlier = written.updateValue(cost, forKey: name) {
      writtenBytes -= earlier
    } else if isListed {
      used -= former ?? 0
    }
    writtenBytes += cost
  }

  /// Records that this cache removed the file `name` with `cost`.
  ///
  /// After the listing the counted bytes include the file, either as a listed file or, if another process
  /// wrote it since, in a lease. Before that only the listing determines whether it was counted.
  mutating func noteRemovedFile(_ name: String, cost: Int) {
    removedNames.insert(name)
    if let earlier = written.removeValue(forKey: name) {
      writtenBytes -= earlier
    } else if isListed {
      used -= cost
    }
  }

  /// Returns whether this cache wrote or removed the file `name` since the sweep started. The listed file of
  /// that name is then gone and no longer counted.
  func isChanged(_ name: String) -> Bool { written[name] != nil || removedNames.contains(name) }

  /// Records a listed file; false if it must be removed.
  mutating func record(_ file: FileEntry) -> Bool {
    let candidate = Candidate(
      name: file.name, used: file.used, cost: Ledger.cost(ofFileSize: file.size))
    switch EntryName.role(of: file.name) {
    case .foreign, .ledger:
      return true
    case .lease(let holder):
      guard file.isRegular else { return false }
      holders.append(holder)
      return true
    case .temporary(let holder):
      guard file.isRegular, !goal.removesAll else { return false }
      unfinished.append((holder, candidate))
      return true
    case .otherVersion:
      return false
    case .prefix where now - file.used > .seconds(StoredPrefix.lifetime):
      return false
    case .entry, .prefix:
      guard file.isRegular, !goal.removesAll else { return false }
      if written[file.name] != nil { return true }
      used += candidate.cost
      candidates.append(candidate)
      return true
    }
  }

  /// Reduces `candidates` to the files to evict, the least recently used last; to none if no eviction is
  /// needed.
  ///
  /// A date in the future is from before the clock was set back. Such a file is evicted first, because a
  /// later use would have changed its date.
  mutating func rank() {
    let now = now + DiskCache.dateResolution
    if !removedNames.isEmpty || !written.isEmpty {
      for candidate in candidates where isChanged(candidate.name) { used -= candidate.cost }
      candidates = candidates.filter { !isChanged($0.name) }
    }
    if let demand = goal.spaceFor {
      // The removed files of dead processes may suffice.
      let missing = (demand.bytes(of: used) ?? 0) - freed
      goal.threshold = -1
      goal.target = used - max(0, missing)
    }
    isNeeded = counted > goal.threshold
    guard isNeeded else { return candidates = [] }
    candidates.sort { a, b in
      if (a.used > now) != (b.used > now) { return b.used > now }
      return (a.used, a.name) > (b.used, b.name)
    }
  }
}
