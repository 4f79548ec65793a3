internal import Synchronization

/// How long origins take until the first byte of an answer, and to be connected with, as moving means.
final class LatencyEstimator: Sendable {
  private struct Times {
    var answer: Duration?
    var handshakes: Duration?
    /// Whether the last answer came over a connection that others use meanwhile.
    var isShared = false
  }

  /// As many origins as are remembered; then all are measured anew.
  static let mostOrigins = 1_000

  private let times = Mutex<[Origin: Times]>([:])

  /// The mean time to the first byte for `origin`; nil before its first answer.
  func mean(of origin: Origin) -> Duration? { times.withLock { $0[origin]?.answer } }

  /// What it takes to replace a connection to `origin` that is closed because an exchange is cut off; zero when that
  /// closes none, or when none was made yet.
  func handshakes(of origin: Origin) -> Duration {
    times.withLock { times in
      guard let times = times[origin], !times.isShared else { return .zero }
      return times.handshakes ?? .zero
    }
  }

  /// Adds a time to the first byte, of an answer over a connection that is shared or not.
  func note(_ time: Duration, isShared: Bool = false, of origin: Origin) {
    change(origin) { times in
      Self.add(time, to: &times.answer)
      times.isShared = isShared
    }
  }

  /// Adds the time that the handshakes of a connection took.
  func note(handshakes time: Duration, of origin: Origin) {
    change(origin) { Self.add(time, to: &$0.handshakes) }
  }

  private func change(_ origin: Origin, _ change: (inout Times) -> Void) {
    times.withLock { times in
      if times[origin] == nil, times.count >= Self.mostOrigins { times = [:] }
      change(&times[origin, default: Times()])
    }
  }

  /// Each counts for an eighth (RFC 6298, section 2: the smoothed round-trip time of TCP).
  private static func add(_ time: Duration, to mean: inout Duration?) {
    mean = mean.map { $0 + (time - $0) / 8 } ?? time
  }
}
