/// How the limit holds, with several processes writing at once and any of them dying at any moment.
///
/// The lock file holds an upper bound of the bytes in the directory. A store adds what it will write and
/// creates its temporary file, at full length, under the lock; so a sweep, which counts under the same lock,
/// sees every byte that the bound had. The body is written without the lock. The rename takes it again,
/// because a directory that changes while it is listed may show a renamed file under neither name.
extension DiskCache {
  func write(_ parts: [[UInt8]], to path: String) throws(FileSystemError) {
    let temporary = try reserve(parts.reduce(0) { $0 + $1.count })
    do throws(FileSystemError) {
      try fileSystem.write(parts, to: temporary)
      try locked { _, _ throws(FileSystemError) in try fileSystem.rename(temporary, to: path) }
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
  }

  /// Removes what `isUnwanted` says, then the least recently used down to `bytes`.
  func sweep(to bytes: Int, removing isUnwanted: (Occupant) -> Bool) {
    do throws(FileSystemError) {
      try fileSystem.withLock(path(of: EntryName.total)) { _, replace throws(FileSystemError) in
        let used = try evict(to: bytes, whenAbove: bytes, removing: isUnwanted)
        try replace(ByteTotal(bytes: used, sweptAt: now).encoded)
      }
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// A file of ours in the directory.
  struct Occupant {
    let name: String
    let role: EntryName.Role
    let size: Int
    let age: Duration
    let isRegular: Bool

    /// What it counts, in bytes.
    var cost: Int { ByteTotal.cost(ofFileSize: size) }

    /// What is used again, unless it is evicted.
    var isKept: Bool { role == .entry || role == .prefix }

    /// Nobody will use it: another version wrote it, something that is no file stands in its place, or it was
    /// in the making ten minutes ago, when a write takes seconds. An age below minus ten minutes means that
    /// the clock was set back.
    var isAbandoned: Bool {
      switch role {
      case .otherVersion: true
      case .temporary: !(.seconds(-600) ... .seconds(600)).contains(age)
      case .prefix: !isRegular || age > .seconds(StoredPrefix.lifetime)
      case .entry, .foreign: !isRegular
      }
    }
  }

  func occupants() throws(FileSystemError) -> [Occupant] {
    try fileSystem.list(directory).compactMap { file in
      let role = EntryName.role(of: file.name)
      guard role != .foreign else { return nil }
      return Occupant(
        name: file.name, role: role, size: file.size, age: file.age, isRegular: file.isRegular)
    }
  }

  /// Makes room for a file of `size` bytes and creates it under a temporary name.
  private func reserve(_ size: Int) throws(FileSystemError) -> String {
    let cost = ByteTotal.cost(ofFileSize: size)
    return try locked { contents, replace throws(FileSystemError) in
      let total = ByteTotal(contents)
      if let sum = total?.adding(cost, limit: limit, now: now) {
        try replace(sum.encoded)
      } else {
        // Down to nine tenths, so that a tenth of the limit is written before the next sweep and shares the
        // cost of listing. Also when the bound was reached only because it was too high: else it would be
        // reached again at once. A sweep for another reason leaves a directory alone that is within its limit.
        let low = limit / 10 * 9 - cost
        let isReached = total.map { $0.bytes > limit - cost } ?? false
        let used = try evict(to: low, whenAbove: isReached ? low : limit - cost, removing: \.isAbandoned)
        guard used <= limit - cost else {
          throw FileSystemError(.full, operation: "make room in", path: directory)
        }
        try replace(ByteTotal(bytes: used + cost, sweptAt: now).encoded)
      }
      return try fileSystem.createTemporary(prefix: path(of: EntryName.temporaryPrefix), size: size)
    }
  }

  /// Removes what `isUnwanted` says and, when more than `threshold` is left, the least recently used down to
  /// `target`. Returns what is left then, in bytes. The lock must be held.
  private func evict(
    to target: Int, whenAbove threshold: Int, removing isUnwanted: (Occupant) -> Bool
  ) throws(FileSystemError) -> Int {
    var used = 0
    var entries: [Occupant] = []
    for occupant in try occupants() {
      if isUnwanted(occupant), removed(occupant) { continue }
      used += occupant.cost
      if occupant.isKept { entries.append(occupant) }
    }
    guard used > threshold else { return used }
    entries.sort { ($0.age, $0.name) > ($1.age, $1.name) }
    for entry in entries {
      guard used > target else { break }
      if removed(entry) {
        used -= entry.cost
        counters.evictions += 1
        counters.evictedBytes += entry.cost
      }
    }
    return used
  }

  private func removed(_ occupant: Occupant) -> Bool {
    do throws(FileSystemError) {
      try fileSystem.remove(path(of: occupant.name))
      return true
    } catch {
      if error.kind == .notFound { return true }
      count(error)
      return false
    }
  }

  /// Holds the lock of the directory, which is made when it is missing.
  private func locked<R: Sendable>(
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    do throws(FileSystemError) {
      return try fileSystem.withLock(path(of: EntryName.total), body)
    } catch {
      guard error.kind == .notFound else { throw error }
      try fileSystem.makeDirectory(at: directory)
      return try fileSystem.withLock(path(of: EntryName.total), body)
    }
  }
}
