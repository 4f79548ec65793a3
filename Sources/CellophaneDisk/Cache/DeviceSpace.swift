/// The space freed on a device that is full below the limit, and the time of the next attempt.
///
/// Space is freed for this cache's writes. If another program fills it, further evictions would remove entry
/// after entry in vain. Eviction then pauses, each time twice as long.
struct DeviceSpace {
  /// The demand of a file that found no space.
  struct Demand {
    /// The cost of the file in bytes.
    let cost: Int
    /// Whether to free space for further files. False if another program took it the last time.
    let hasMargin: Bool

    /// Returns the number of bytes to evict if `known` bytes can be evicted. Nil if that exceeds a quarter of
    /// them, because a single response must not evict all others.
    ///
    /// The lock file and the lease file occupy a block each. The margin is the size of one lease, so that not
    /// every store finds the device full first.
    func bytes(of known: Int) -> Int? {
      let bytes = cost + 2 * 4_096 + (hasMargin ? Lease.size(limit: known) : 0)
      return bytes <= known / 4 ? bytes : nil
    }
  }

  /// The bytes freed last, and the part that is not written yet.
  private var freed: (bytes: Int, unwritten: Int)?
  private var pause = Duration.zero
  private var pausedUntil = Duration.zero

  /// 1 s: one eviction per burst of stores. 1 h: about the interval of sweeps.
  private static let pauses: (first: Duration, longest: Duration) = (.seconds(1), .seconds(3_600))

  /// Returns the demand of a file of `cost` bytes that found no space at `now`; nil while eviction pauses.
  mutating func demand(of cost: Int, at now: Duration) -> Demand? {
    if let freed {
      // Half, because a file may occupy more of a device than its cost.
      if freed.unwritten >= cost, freed.unwritten > freed.bytes / 2 {
        pauseEviction(at: now)
      } else {
        pause = .zero
      }
    }
    freed = nil
    return now >= pausedUntil ? Demand(cost: cost, hasMargin: pause == .zero) : nil
  }

  /// Pauses eviction from `now` on.
  mutating func pauseEviction(at now: Duration) {
    pause = min(max(pause * 2, Self.pauses.first), Self.pauses.longest)
    pausedUntil = now + pause
  }

  /// Records that `bytes` were evicted.
  mutating func noteFreed(_ bytes: Int) { freed = (bytes, bytes) }

  /// Records that a file of `cost` bytes was written.
  mutating func noteWritten(_ cost: Int) { freed?.unwritten -= cost }
}

extension DiskCache {
  /// Frees space on a full device for the file `name` of `cost` bytes; false if a further attempt is useless.
  func makeSpace(for cost: Int, as name: String) -> Bool {
    let now = timeline.now
    guard let demand = deviceSpace.demand(of: cost, at: now) else { return false }
    do throws(FileSystemError) {
      guard let freed = try freeSpace(for: demand, as: name, in: try openDirectory(creating: false)) else {
        return false
      }
      deviceSpace.noteFreed(freed)
      return freed >= cost
    } catch {
      // A full device is reported once, for the file to be written.
      if error.kind != .notFound, error.kind != .full { count(error) }
      deviceSpace.pauseEviction(at: now)
      return false
    }
  }

  /// Evicts entries for `demand` and returns the freed bytes. Nil if too few bytes can be evicted, or if the
  /// search continues in the background.
  private func freeSpace(
    for demand: DeviceSpace.Demand, as name: String, in directory: any FileDirectory
  ) throws(FileSystemError) -> Int? {
    // The existing file is out of date in any case.
    let former = try removeExisting(name, in: directory)
    if former >= demand.cost { return former }
    guard isRecencyCurrent(at: directory.now), let known = recency?.bytes else {
      return try sweepNow(spaceFor: demand)
    }
    guard let bytes = demand.bytes(of: known) else { return nil }
    guard try evict(bytes, in: directory) else {
      deviceSpace.pauseEviction(at: timeline.now)
      return nil
    }
    return bytes
  }

  /// Removes a file and returns its cost; 0 if it does not exist.
  private func removeExisting(
    _ name: String, in directory: any FileDirectory
  ) throws(FileSystemError) -> Int {
    do throws(FileSystemError) {
      let seen = try directory.entry(name)
      return try removeAndCredit(name, in: directory) ?? Ledger.cost(ofFileSize: seen.size)
    } catch {
      guard error.kind == .notFound else { throw error }
      return 0
    }
  }
}
