/// A clock that is stopped.
struct StandingClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
  }

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  /// Throws, because decoding must not wait: no deadline would ever arrive.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws { throw CancellationError() }
}
