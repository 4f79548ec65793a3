internal import Synchronization

/// A clock that moves on whenever it is read, or only by ``advance(by:)`` where its step is none.
final class SteppingClock: Clock {
  typealias Duration = Swift.Duration

  struct Instant: InstantProtocol {
    var elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private let elapsed = Mutex(Duration.zero)
  private let step: Duration
  let minimumResolution = Duration.zero

  init(step: Duration) { self.step = step }

  var now: Instant {
    elapsed.withLock { elapsed in
      elapsed += step
      return Instant(elapsed: elapsed)
    }
  }

  func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
