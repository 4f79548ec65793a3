/// Starting and running sweeps. ``Sweep`` explains how the count stays correct during writes.
extension DiskCache {
  /// Removes every entry of any process and every unfinished file. Entries stored during the call may remain.
  public func removeAll() async { await removeAll(progress: nil) }

  /// Evicts the least recently used entries until they occupy at most `bytes`, not counting entries stored
  /// during the call.
  public func trim(to bytes: Int) async { await trim(to: bytes, progress: nil) }

  /// Removes all entries; see ``removeAll()``.
  ///
  /// - Parameter progress: Called with the number of removed files.
  package func removeAll(progress: Progress?) async {
    await sweep(Sweep.Goal(threshold: 0, target: 0, countsLeases: false, removesAll: true), progress)
  }

  /// Evicts entries; see ``trim(to:)``.
  ///
  /// - Parameter progress: Called with the number of removed files.
  package func trim(to bytes: Int, progress: Progress?) async {
    let maxBytes = max(0, bytes)
    await sweep(Sweep.Goal(threshold: maxBytes, target: maxBytes, countsLeases: false), progress)
  }

  /// Starts or continues a sweep in the background, unless one is running there.
  func sweepInBackground() {
    guard sweeping == nil else { return }
    sweeping = timeline.spawn {
      await self.sweep()
      self.sweeping = nil
    }
  }

  /// Finishes the current sweep or runs a new one. False if that exceeds a few milliseconds of work and
  /// continues in the background.
  func sweepNow() throws(FileSystemError) -> Bool {
    try sweepNow(goalForWriting(above: 0)) { _ in true } != nil
  }

  /// Frees space on a full device. Returns the number of freed bytes; nil if the sweep continues in the
  /// background.
  func sweepNow(spaceFor demand: DeviceSpace.Demand) throws(FileSystemError) -> Int? {
    let goal = Sweep.Goal(threshold: .max, target: .max, countsLeases: false, spaceFor: demand)
    return try sweepNow(goal) { $0.spaceFor != nil }?.freed
  }

  /// Finishes the current sweep and, unless its goal is sufficient, runs one with `goal`.
  private func sweepNow(
    _ goal: Sweep.Goal, orWith isSufficient: (Sweep.Goal) -> Bool
  ) throws(FileSystemError) -> Sweep.Outcome? {
    // Eight steps list two thousand names.
    var steps = 8
    while true {
      let outcome = if let sweep { sweep.outcome } else { try beginSweep(goal) }
      let isLast = sweep.map { isSufficient($0.goal) } ?? true
      while sweep?.outcome === outcome {
        guard steps > 0 else {
          sweepInBackground()
          return nil
        }
        steps -= 1
        _ = try stepSweep()
      }
      if isLast { return outcome }
    }
  }

  /// Returns the goal of a sweep for writing. It evicts down to 13/16 of the limit if more than `threshold`
  /// is used, or if there is no space for the largest entry, an eighth of the limit.
  private func goalForWriting(above threshold: Int) -> Sweep.Goal {
    let largest = limit - limit / 8 - 4_096
    return Sweep.Goal(
      threshold: max(threshold - 4_096, largest), target: largest - limit / 16, countsLeases: true)
  }

  /// Continues the current sweep, or runs one to free space.
  private func sweep() async {
    do throws(FileSystemError) {
      if sweep == nil { try beginSweep(goalForWriting(above: softLimit)) }
      while try stepSweep() { await Task.yield() }
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// Runs a sweep with this goal after the current one, which may already have passed files that this one
  /// removes.
  private func sweep(_ goal: Sweep.Goal, _ progress: Progress?) async {
    // A sweep that was discarded, or that finds no directory or lease file, starts again. It does so at most
    // four times, because another process could remove them each time.
    for _ in 0..<4 {
      while stepOtherSweep() { await Task.yield() }
      do throws(FileSystemError) {
        if try !openDirectory(creating: false).isInPlace { reset() }
        let outcome = try beginSweep(goal)
        while sweep?.outcome === outcome, try stepSweep() {
          if let progress, let sweep { progress(sweep.removed, nil) }
          await Task.yield()
        }
        if outcome.isComplete { return }
      } catch {
        guard error.kind == .notFound else { return count(error) }
        reset()
      }
    }
    guard (try? openDirectory(creating: false)) != nil else { return }
    count(FileSystemError(.notFound, operation: "sweep", path: directory))
  }

  /// Runs a step of a sweep that another caller started. Its errors are counted but not thrown.
  private func stepOtherSweep() -> Bool {
    do throws(FileSystemError) {
      return try stepSweep()
    } catch {
      if error.kind != .notFound { count(error) }
      return false
    }
  }

  /// Starts a sweep and returns its outcome.
  @discardableResult
  private func beginSweep(_ goal: Sweep.Goal) throws(FileSystemError) -> Sweep.Outcome {
    sweep = nil
    writeUseDates()
    let directory = try openDirectory(creating: false)
    let newSweep = try Sweep(goal, of: directory, before: try ledgerBeforeSweep(of: directory))
    sweep = newSweep
    return newSweep.outcome
  }

  /// Returns the ledger before a sweep. A missing ledger is not created: only a holder of a lease needs one.
  private func ledgerBeforeSweep(of directory: any FileDirectory) throws(FileSystemError) -> Ledger {
    do throws(FileSystemError) {
      // This cache has no unfinished files now, so its listing will include all its writes.
      return try recordSpent(in: directory)
    } catch {
      guard error.kind == .notFound, lease == nil, directory.isInPlace else { throw error }
      return .unknown
    }
  }
}
