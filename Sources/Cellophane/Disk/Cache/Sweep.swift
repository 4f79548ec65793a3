/// One pass over the directory that removes what nobody will use, evicts, and counts what is left. It is done
/// in steps of bounded work, so that stores go on in between, and without the lock.
///
/// What is written meanwhile may escape the listing. What this cache writes and removes it notes here, and counts by
/// that alone. What others write was paid from leases: those that the holders' files record, and those that the ledger
/// gives while the sweep lasts. The new bound counts all of both, so it may be too high by what of them the listing
/// saw, and never too low. Where several processes write at full speed into a cache so small that they write all of it
/// anew during one sweep, much of it may be empty until the next: nobody can tell what the listing saw from what it
/// missed, and a lock would hold up everybody's writes.
struct Sweep {
  /// What is to be reached.
  struct Goal {
    /// Evict when there is more than this, in bytes.
    var threshold: Int
    /// Evict down to this.
    var target: Int
    /// Whether leases count, too: they are to be written.
    var countsLeases: Bool
    /// Whether everything is to go.
    var removesAll = false
    /// What a file needs that found no room on the device: so much is to be evicted, whatever the bounds above are.
    var roomFor: DeviceRoom.Need?
  }

  /// A file that may be evicted.
  struct Candidate {
    let name: String
    let used: Duration
    let cost: Int
    /// Whether it was put off because it was used since it was listed.
    var isSpared = false
  }

  /// Tells who began a sweep, which anybody's steps drive, whether it came to its end.
  final class End {
    var isReached = false
    /// What was removed, in bytes.
    var freed = 0
  }

  private(set) var goal: Goal
  let end = End()
  let directory: any FileDirectory
  let listing: any FileListing
  /// The ledger when the sweep began.
  let before: Ledger
  /// The expiry of prefixes and the clocks set back are judged by this.
  let now: Duration
  /// What the files count that are left, in bytes.
  var used = 0
  /// How many files were removed, for those who watch.
  private(set) var removed = 0
  /// What they counted, in bytes.
  private(set) var freed = 0
  /// What the files of other holders record.
  var leases = 0
  /// What this cache added since the sweep began to ``Ledger/leased``.
  var leased: UInt64 = 0
  /// What this cache has leased and may still write.
  var unspent = 0
  /// Files that may be evicted; once the listing is done those that should be, the next one last.
  private var candidates: [Candidate] = []
  /// Candidates that were used or written anew since they were listed: they go when nothing else is left.
  private var spared: [Candidate] = []
  /// What this cache wrote since the sweep began and did not remove, with what it counts; none of it in `used`.
  private var written: [String: Int] = [:]
  private var writtenBytes = 0
  /// What this cache removed since the sweep began, which may have been listed before.
  private var takenAway: Set<String> = []
  var holders: [String] = []
  var unfinished: [(holder: String, Candidate)] = []
  var isListed = false
  /// Whether there was more than the threshold.
  var isNeeded = false

  /// What is left of the candidates, and what was written since.
  var recency: Recency {
    var recency = Recency(at: now)
    for candidate in candidates + spared where !isChanged(candidate.name) {
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

  /// What was written since the listing, or may be.
  var unlisted: Int { leases + writtenBytes + unspent }

  /// What counts against the goal.
  private var counted: Int { used + (goal.countsLeases ? unlisted : 0) }

  /// How much of it is to go.
  var excess: Int { counted - goal.target }

  var hasCandidates: Bool { !candidates.isEmpty || !spared.isEmpty }

  /// Takes out what is evicted next.
  mutating func nextCandidate() -> Candidate? {
    if candidates.isEmpty {
      candidates = spared.sorted { ($0.used, $0.name) > ($1.used, $1.name) }
      spared = []
    }
    return candidates.popLast()
  }

  /// Puts off a candidate that was `used` since; false when it has been already.
  mutating func spares(_ candidate: Candidate, used: Duration) -> Bool {
    if candidate.isSpared { return false }
    spared.append(Candidate(name: candidate.name, used: used, cost: candidate.cost, isSpared: true))
    return true
  }

  /// Notes that a file of `cost` bytes was removed.
  mutating func noteRemoved(_ cost: Int) {
    removed += 1
    freed += cost
  }

  /// Notes that this cache wrote the file called `name`, which counts `cost`, in place of one that counted `former`.
  mutating func noteWritten(_ name: String, cost: Int, former: Int?) {
    if let earlier = written.updateValue(cost, forKey: name) {
      writtenBytes -= earlier
    } else if isListed {
      used -= former ?? 0
    }
    writtenBytes += cost
  }

  /// Notes that this cache removed the file called `name`, which counted `cost`. Once all is listed it is among what
  /// counts, as a file or, when another process wrote it since, among the leases; before that only the listing tells.
  mutating func noteTakenAway(_ name: String, cost: Int) {
    takenAway.insert(name)
    if let earlier = written.removeValue(forKey: name) {
      writtenBytes -= earlier
    } else if isListed {
      used -= cost
    }
  }

  /// Whether this cache wrote or removed a file called `name` since the sweep began. What was listed under that name is
  /// gone, and no longer counted.
  func isChanged(_ name: String) -> Bool { written[name] != nil || takenAway.contains(name) }

  /// Notes a file; false when it is to be removed.
  mutating func keeps(_ file: FileEntry) -> Bool {
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

  /// Leaves in `candidates` what may be evicted if need be, the least recently used last; nothing if there is no
  /// need. What is dated in the future was last used before the clock was set back, and goes first: a use since
  /// then would have dated it anew.
  mutating func rank() {
    let now = now + DiskCache.dateResolution
    if !takenAway.isEmpty || !written.isEmpty {
      for candidate in candidates where isChanged(candidate.name) { used -= candidate.cost }
      candidates = candidates.filter { !isChanged($0.name) }
    }
    if let need = goal.roomFor {
      // What dead processes left may have been enough.
      let missing = (need.bytes(of: used) ?? 0) - freed
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
