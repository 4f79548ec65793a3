internal import Synchronization

/// How long origins take until the first byte of an answer, as a moving mean.
final class RoundTrips: Sendable {
  /// As many origins as are remembered; then all are measured anew.
  static let mostOrigins = 1_000

  private let means = Mutex<[Origin: Duration]>([:])

  /// The mean for `origin`; nil before its first answer.
  func mean(of origin: Origin) -> Duration? { means.withLock { $0[origin] } }

  /// Adds a measurement. Each counts for an eighth (RFC 6298, section 2: the smoothed round-trip time of TCP).
  func note(_ time: Duration, of origin: Origin) {
    means.withLock { means in
      if means[origin] == nil, means.count >= Self.mostOrigins { means = [:] }
      means[origin] = means[origin].map { $0 + (time - $0) / 8 } ?? time
    }
  }
}
