/// The freshness of a value in memory whose origin wants to be asked about it while it answers
/// (`stale-while-revalidate`), or that answers only as long as its origin allows (``MemoryReuse/untilStale``).
///
/// A class, so that an entry of the cache without an expiry, the usual case, grows by one pointer only.
@usableFromInline
final class Expiry: Sendable {
  /// When it becomes stale, on the loader's timeline. From then on its origin is asked.
  let staleAt: Duration
  /// The checksum of the bytes from which the value was made.
  let version: UInt64
  /// When it stops answering; nil for a value that answers until it is evicted.
  let endsAt: Duration?
  /// No refresh starts before this time, because the origin was asked recently.
  let pausedUntil: Duration

  init(staleAt: Duration, version: UInt64, endsAt: Duration? = nil, pausedUntil: Duration = .zero) {
    (self.staleAt, self.version, self.endsAt) = (staleAt, version, endsAt)
    self.pausedUntil = pausedUntil
  }

  /// Returns this expiry with no refresh before `time`.
  func paused(until time: Duration) -> Expiry {
    Expiry(staleAt: staleAt, version: version, endsAt: endsAt, pausedUntil: time)
  }

  /// True when the value no longer answers at `now`.
  func hasEnded(at now: Duration) -> Bool { endsAt.map { now >= $0 } ?? false }
}

/// The action of a look-up for a value with an expiry.
@usableFromInline
enum ExpiryVerdict {
  /// Return the value.
  case answer
  /// Return nothing, and keep the value.
  case skip
  /// Remove the value.
  case remove
}
