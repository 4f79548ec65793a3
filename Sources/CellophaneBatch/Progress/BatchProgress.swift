internal import Cellophane
internal import Synchronization

/// The progress of a run, to be read while the run is active.
package final class BatchProgress: Sendable {
  /// The minimum pause of the loader's circuit breaker that is reported. 1 s: the pauses before retries are
  /// mostly shorter and over before a person has read the report.
  private static let shortestPause = Duration.seconds(1)

  private let source: ListSource
  private let bytes: ByteLoader
  private let ended = Atomic<Int>(0)
  private let scheduler = Mutex<HostScheduler?>(nil)

  init(_ source: ListSource, _ bytes: ByteLoader) { (self.source, self.bytes) = (source, bytes) }

  /// The completed share of the list, from 0 to 1; nil if its length is unknown. It is 1 only after the last
  /// record. Records are read long before they are loaded, so the read share would be wrong.
  package var share: Double? { source.share(ended: ended.load(ordering: .relaxed)) }

  /// The paused hosts, the longest pause first; then the hosts with a lowered limit, the lowest first.
  package var throttles: [HostThrottle] {
    var throttles = scheduler.withLock(\.self)?.throttles ?? []
    for (origin, rest) in bytes.openCircuits where rest >= Self.shortestPause {
      if let index = throttles.firstIndex(where: { $0.host == origin.authority }) {
        throttles[index].pause = max(throttles[index].pause ?? .zero, rest)
      } else {
        throttles.append(HostThrottle(host: origin.authority, pause: rest))
      }
    }
    return throttles.sorted { a, b in
      if a.pause != b.pause { return a.pause ?? .zero > b.pause ?? .zero }
      return (a.limit ?? .max, a.host) < (b.limit ?? .max, b.host)
    }
  }

  /// Reports the throttles of `scheduler` from now on; nil for none.
  func follow(_ scheduler: HostScheduler?) { self.scheduler.withLock { $0 = scheduler } }

  /// Counts a finished record.
  func end() { ended.wrappingAdd(1, ordering: .relaxed) }
}
