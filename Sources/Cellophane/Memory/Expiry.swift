/// The expiry of a value in memory. It exists for a value that may be used while it is revalidated
/// (`stale-while-revalidate`), or that may be used only as long as its origin allows (``MemoryReuse/untilStale``).
///
/// A class, so that an entry of the cache without an expiry, the usual case, grows by one pointer only.
@usableFromInline
final class Expiry: Sendable {
  /// The time at which the value becomes stale, on the loader's timeline. A later use starts a refresh.
  let staleAt: Duration
  /// The checksum of the bytes from which the value was made.
  let version: UInt64
  /// The time from which the value is not used; nil for a value that is used until it is evicted.
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

  /// Returns whether the value must not be used at `now`.
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
