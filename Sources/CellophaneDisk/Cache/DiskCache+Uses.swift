internal import Synchronization

/// The times of last use, which decide the eviction order.
///
/// The time is the file's modification date, so it survives a restart and is visible to every process. A
/// lookup only records the use. The actor sets the date afterward, because that may wait for the device.
extension DiskCache {
  /// The minimum time between two updates of a date. A minute does not change the worth of an entry, and most
  /// lookups then cause no further work.
  static let dateResolution = Duration.seconds(60)

  /// Records that the file `name` is used now, unless its date is recent enough.
  nonisolated func noteUse(of name: String, dated used: Duration) {
    guard let now = shared.withLock({ $0.directory })?.now,
      !(.zero...Self.dateResolution).contains(now - used)
    else { return }
    let isFirst = shared.withLock { shared in
      shared.uses[name] = now
      defer { shared.isWritingDates = true }
      return !shared.isWritingDates
    }
    if isFirst { timeline.spawn { await self.writeUseDates() } }
  }

  /// Sets the dates of the files that were used.
  func writeUseDates() {
    let (uses, directory) = shared.withLock { shared in
      defer {
        shared.uses = [:]
        shared.isWritingDates = false
      }
      return (shared.uses, shared.directory)
    }
    guard let directory else { return }
    // In order of time, so that a test's results do not depend on the hashes of names.
    for (name, used) in uses.sorted(by: { $0.value < $1.value }) {
      do throws(FileSystemError) {
        try directory.setUsed(name, at: used)
      } catch {
        switch error.kind {
        // Only the eviction order depends on the dates, and nothing is evicted from such a directory.
        case .notFound, .readOnly, .denied: break
        default: count(error)
        }
      }
    }
  }
}
