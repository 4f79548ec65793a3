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
  private let isTimeOver = Atomic<Bool>(false)
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

  /// Whether the time of the run ended before its list.
  package var isOutOfTime: Bool { isTimeOver.load(ordering: .relaxed) }

  /// Notes that the time of the run has ended.
  func endTime() { isTimeOver.store(true, ordering: .relaxed) }

  /// The time without a result after which a host is one that the run waits for. 2 s: most responses take less.
  private static let shortestWait = Duration.seconds(2)

  /// The hosts that the run waits for and the time since their last results, the longest first. Without paused hosts.
  package var waits: [(host: String, time: Duration)] {
    scheduler.withLock(\.self)?.silentHosts(for: Self.shortestWait) ?? []
  }

  /// Reports the throttles of `scheduler` from now on; nil for none.
  func follow(_ scheduler: HostScheduler?) { self.scheduler.withLock { $0 = scheduler } }

  /// Counts a finished record.
  func end() { ended.wrappingAdd(1, ordering: .relaxed) }
}
