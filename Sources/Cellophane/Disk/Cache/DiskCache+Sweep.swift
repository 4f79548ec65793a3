/// Sweeping: see ``Sweep`` for what keeps it right while others write.
extension DiskCache {
  /// Removes every entry, whoever wrote it, and every file in the making; what is stored meanwhile may stay.
  /// `progress` counts what is removed.
  public func removeAll(progress: Progress? = nil) async {
    await sweep(Sweep.Goal(threshold: 0, target: 0, countsLeases: false, removesAll: true), progress)
  }

  /// Evicts what was used least recently until the entries take at most `bytes`, and what is stored meanwhile.
  /// `progress` counts what is removed.
  public func trim(to bytes: Int, progress: Progress? = nil) async {
    let most = max(0, bytes)
    await sweep(Sweep.Goal(threshold: most, target: most, countsLeases: false), progress)
  }

  /// Starts a sweep, or goes on with the one that was begun, unless that is being done.
  func sweepInBackground() {
    guard sweeping == nil else { return }
    sweeping = timeline.spawn {
      await self.sweep()
      self.sweeping = nil
    }
  }

  /// Ends the sweep that is under way or, when there is none, does one; false when that is more than a few
  /// milliseconds' work and goes on in the background.
  func sweepAtOnce() throws(FileSystemError) -> Bool {
    try sweepAtOnce(goalForWriting(above: 0)) { _ in true } != nil
  }

  /// The same for room on a full device; what was freed, or nil when that goes on in the background.
  func sweepAtOnce(roomFor need: DeviceRoom.Need) throws(FileSystemError) -> Int? {
    let goal = Sweep.Goal(threshold: .max, target: .max, countsLeases: false, roomFor: need)
    return try sweepAtOnce(goal) { $0.roomFor != nil }?.freed
  }

  /// Ends the sweep that is under way and, unless that one's goal will do, does one with `goal`.
  private func sweepAtOnce(
    _ goal: Sweep.Goal, orWith willDo: (Sweep.Goal) -> Bool
  ) throws(FileSystemError) -> Sweep.End? {
    // Two thousand names.
    var steps = 8
    while true {
      let end = if let sweep { sweep.end } else { try beginSweep(goal) }
      let isLast = sweep.map { willDo($0.goal) } ?? true
      while sweep?.end === end {
        guard steps > 0 else {
          sweepInBackground()
          return nil
        }
        steps -= 1
        _ = try stepOfSweep()
      }
      if isLast { return end }
    }
  }

  /// Evicts down to 13/16 of the limit when more than `threshold` is taken, and always when there is no room for
  /// an eighth of it, the largest entry.
  private func goalForWriting(above threshold: Int) -> Sweep.Goal {
    let largest = limit - limit / 8 - 4_096
    return Sweep.Goal(
      threshold: max(threshold - 4_096, largest), target: largest - limit / 16, countsLeases: true)
  }

  /// Goes on with the sweep that was begun, or does one to make room.
  private func sweep() async {
    do throws(FileSystemError) {
      if sweep == nil { try beginSweep(goalForWriting(above: comfortable)) }
      while try stepOfSweep() { await Task.yield() }
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// Does a sweep with this goal, behind the one that was begun: that may be past what this one is to remove.
  private func sweep(_ goal: Sweep.Goal, _ progress: Progress?) async {
    // What is dropped in between, or finds that the directory or the lease's file is no longer there, begins again;
    // four times, for somebody may take them away as often.
    for _ in 0..<4 {
      while stepOfOther() { await Task.yield() }
      do throws(FileSystemError) {
        if try !openDirectory(isMade: false).isInPlace { beginAnew() }
        let end = try beginSweep(goal)
        while sweep?.end === end, try stepOfSweep() {
          if let progress, let sweep { progress(sweep.removed, nil) }
          await Task.yield()
        }
        if end.isReached { return }
      } catch {
        guard error.kind == .notFound else { return count(error) }
        beginAnew()
      }
    }
    guard (try? openDirectory(isMade: false)) != nil else { return }
    count(FileSystemError(.notFound, operation: "sweep", path: directory))
  }

  /// A step of a sweep that somebody else began, and whose errors are its own affair.
  private func stepOfOther() -> Bool {
    do throws(FileSystemError) {
      return try stepOfSweep()
    } catch {
      if error.kind != .notFound { count(error) }
      return false
    }
  }

  /// Returns its end.
  @discardableResult
  private func beginSweep(_ goal: Sweep.Goal) throws(FileSystemError) -> Sweep.End {
    sweep = nil
    dateUses()
    let directory = try openDirectory(isMade: false)
    let begun = try Sweep(goal, of: directory, before: try ledgerBeforeSweep(of: directory))
    sweep = begun
    return begun.end
  }

  /// Where there is no ledger none is made: only who has a lease in it needs one.
  private func ledgerBeforeSweep(of directory: any FileDirectory) throws(FileSystemError) -> Ledger {
    do throws(FileSystemError) {
      // Nothing of this cache is in the making, so its own listing will see all that it wrote.
      return try recordSpent(in: directory)
    } catch {
      guard error.kind == .notFound, lease == nil, directory.isInPlace else { throw error }
      return .unknown
    }
  }
}
