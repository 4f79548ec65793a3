/// What room was made on a device that is full before the limit is reached, and when more may be made.
///
/// It is made for what this cache writes. Where somebody else takes it, who fills the device, making more would give
/// away entry after entry for nothing: then there is a pause, each time twice as long.
struct DeviceRoom {
  /// What a file needs that found no room.
  struct Need {
    /// What it counts.
    let cost: Int
    /// Whether others will find room after it. Not where they did not the last time.
    let hasMargin: Bool

    /// How much to evict where `known` bytes may be; nil when that is more than a quarter, because one response must not
    /// sweep the others out.
    ///
    /// With the file come the two for the accounts; and, as a margin, as much as is leased at once, so that not every
    /// store finds the device full before it finds room.
    func bytes(of known: Int) -> Int? {
      let bytes = cost + 2 * 4_096 + (hasMargin ? Lease.size(limit: known) : 0)
      return bytes <= known / 4 ? bytes : nil
    }
  }

  /// What was made last, and how much of it is not written yet; in bytes.
  private var made: (bytes: Int, left: Int)?
  private var pause = Duration.zero
  private var pausedUntil = Duration.zero

  /// One second: a burst of stores evicts once. An hour: about as often as the directory is swept anyway.
  private static let pauses: (first: Duration, longest: Duration) = (.seconds(1), .seconds(3_600))

  /// What a file needs that counts `cost` and found no room at `now`; nil when none is to be made.
  mutating func need(of cost: Int, at now: Duration) -> Need? {
    if let made {
      // Half: what a file takes of a device may be more than it counts.
      if made.left >= cost, made.left > made.bytes / 2 { close(at: now) } else { pause = .zero }
    }
    made = nil
    return now >= pausedUntil ? Need(cost: cost, hasMargin: pause == .zero) : nil
  }

  /// Makes none for a while, from `now` on.
  mutating func close(at now: Duration) {
    pause = min(max(pause * 2, Self.pauses.first), Self.pauses.longest)
    pausedUntil = now + pause
  }

  /// Notes that `bytes` were evicted.
  mutating func noteMade(_ bytes: Int) { made = (bytes, bytes) }

  /// Notes that a file was written that counts `cost`.
  mutating func noteWritten(_ cost: Int) { made?.left -= cost }
}

extension DiskCache {
  /// Makes room on a full device for a file called `name` that counts `cost`; false when it is no use to try again.
  func makeRoom(for cost: Int, as name: String) -> Bool {
    let now = timeline.now
    guard let need = deviceRoom.need(of: cost, at: now) else { return false }
    do throws(FileSystemError) {
      guard let made = try roomMade(for: need, as: name, in: try openDirectory(isMade: false)) else {
        return false
      }
      deviceRoom.noteMade(made)
      return made >= cost
    } catch {
      // That there is no room is told of the file that finds none.
      if error.kind != .notFound, error.kind != .full { count(error) }
      deviceRoom.close(at: now)
      return false
    }
  }

  /// What was freed; nil when there is not enough that may go, or it is looked for in the background.
  private func roomMade(
    for need: DeviceRoom.Need, as name: String, in directory: any FileDirectory
  ) throws(FileSystemError) -> Int? {
    // It is out of date, whatever comes.
    let former = try removedCost(of: name, in: directory)
    if former >= need.cost { return former }
    guard isRecencyCurrent(at: directory.now), let known = recency?.bytes else {
      return try sweepAtOnce(roomFor: need)
    }
    guard let bytes = need.bytes(of: known) else { return nil }
    guard try evict(bytes, in: directory) else {
      deviceRoom.close(at: timeline.now)
      return nil
    }
    return bytes
  }

  /// Removes a file, if there is one; what it counted.
  private func removedCost(of name: String, in directory: any FileDirectory) throws(FileSystemError) -> Int {
    do throws(FileSystemError) {
      let seen = try directory.entry(name)
      return try takeAway(name, in: directory) ?? Ledger.cost(ofFileSize: seen.size)
    } catch {
      guard error.kind == .notFound else { throw error }
      return 0
    }
  }
}
