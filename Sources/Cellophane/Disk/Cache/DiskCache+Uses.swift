internal import Synchronization

/// When entries were used, which decides what is evicted. The date of a file says it, so it survives a restart
/// and every process sees it. A lookup only notes it; the actor dates the file afterwards, since that may have
/// to wait for the device.
extension DiskCache {
  /// A use so soon after the last is not dated anew: a minute's difference does not make an entry less worth
  /// keeping, and a lookup then leaves no work behind.
  static let dateResolution = Duration.seconds(60)

  /// Notes that the file called `name` is used now, when it is dated differently.
  nonisolated func noteUse(of name: String, dated used: Duration) {
    guard let now = shared.withLock({ $0.directory })?.now,
      !(.zero...Self.dateResolution).contains(now - used)
    else { return }
    let isFirst = shared.withLock { shared in
      shared.uses[name] = now
      defer { shared.isDating = true }
      return !shared.isDating
    }
    if isFirst { timeline.spawn { await self.dateUses() } }
  }

  /// Dates the files that were used.
  func dateUses() {
    let (uses, directory) = shared.withLock { shared in
      defer {
        shared.uses = [:]
        shared.isDating = false
      }
      return (shared.uses, shared.directory)
    }
    guard let directory else { return }
    // In order, so that what a test sees does not depend on how names hash.
    for (name, used) in uses.sorted(by: { $0.value < $1.value }) {
      do throws(FileSystemError) {
        try directory.setUsed(name, at: used)
      } catch {
        switch error.kind {
        // Only the choice of what to evict rests on it, and nothing is evicted from such a directory.
        case .notFound, .readOnly, .denied: break
        default: count(error)
        }
      }
    }
  }
}
