internal import Synchronization

/// The time to the first byte and the time of the handshakes for each origin, as moving means.
final class LatencyEstimator: Sendable {
  private struct Times {
    var firstByte: Duration?
    var handshakes: Duration?
    /// True when other exchanges shared the connection of the last response.
    var isShared = false
  }

  /// The number of origins that are remembered. Beyond it all estimates start anew.
  static let mostOrigins = 1_000

  private let times = Mutex<[Origin: Times]>([:])

  /// Returns the mean time to the first byte for `origin`; nil before its first response.
  func mean(of origin: Origin) -> Duration? { times.withLock { $0[origin]?.firstByte } }

  /// Returns the time to replace a connection to `origin` that is closed because an exchange is cancelled. Zero when
  /// cancelling closes no connection, or when none has been made yet.
  func handshakes(of origin: Origin) -> Duration {
    times.withLock { times in
      guard let times = times[origin], !times.isShared else { return .zero }
      return times.handshakes ?? .zero
    }
  }

  /// Adds a time to the first byte, over a shared connection or not.
  func note(_ time: Duration, isShared: Bool = false, of origin: Origin) {
    change(origin) { times in
      Self.add(time, to: &times.firstByte)
      times.isShared = isShared
    }
  }

  /// Adds the time of the handshakes of a connection.
  func note(handshakes time: Duration, of origin: Origin) {
    change(origin) { Self.add(time, to: &$0.handshakes) }
  }

  private func change(_ origin: Origin, _ change: (inout Times) -> Void) {
    times.withLock { times in
      if times[origin] == nil, times.count >= Self.mostOrigins { times = [:] }
      change(&times[origin, default: Times()])
    }
  }

  /// Adds a value with the weight 1/8 (RFC 6298, section 2: the smoothed round-trip time of TCP).
  private static func add(_ time: Duration, to mean: inout Duration?) {
    mean = mean.map { $0 + (time - $0) / 8 } ?? time
  }
}
