internal import Synchronization

/// A clock that advances by a step at each reading. With a step of zero only ``advance(by:)`` moves it.
package final class SteppingClock: Clock {
  package typealias Duration = Swift.Duration

  package struct Instant: InstantProtocol {
    package var elapsed: Duration
    package func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    package func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    package static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private let elapsed = Mutex(Duration.zero)
  private let step: Duration
  package let minimumResolution = Duration.zero

  package init(step: Duration) { self.step = step }

  package var now: Instant {
    elapsed.withLock { elapsed in
      elapsed += step
      return Instant(elapsed: elapsed)
    }
  }

  package func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
