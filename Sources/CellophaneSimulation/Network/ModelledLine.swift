internal import Cellophane
internal import CellophaneTesting

/// What a ``FlowTransport`` models: an access line, the protocol spoken over it, and the origin at its other end.
struct ModelledLine: Sendable, Hashable {
  /// The line.
  var profile: NetworkProfile
  /// How exchanges share connections.
  var sharing = ConnectionPool.Sharing.http1(limit: nil)
  /// Whether a connection begins with the handshake of TLS 1.3 (RFC 8446): one more round trip.
  var usesTLS = false
  /// How long the origin thinks.
  var think = ThinkTime()
  /// Over HTTP/1.1, an exchange that is given up with at most so many bytes left is read to its end, and its connection
  /// used again, instead of closed.
  var drainedBytes = 0
  /// What losses and jitter depend on.
  var seed: UInt64 = 1

  /// What a request takes on its way up, in bytes: its line and the few fields of a picture's (assumed).
  static let requestSize = 150

  /// How long a connection's handshakes take: a round trip for TCP's, one more for TLS.
  var setup: Duration { profile.roundTrip * (usesTLS ? 2 : 1) }

  /// What holds for its connections.
  var terms: FlowTerms {
    FlowTerms(bitsPerSecond: profile.downBitsPerSecond, roundTrip: profile.roundTrip, loss: profile.loss)
  }

  /// Uniform in 0..<1: what fate has for an attempt to transfer `target`.
  func luck(of target: String, attempt: Int) -> Double {
    SeededDraw(seed: seed).uniform("loss", SeededDraw.id(target, attempt: attempt))
  }
}

/// How long an origin takes to answer: a median, and a lognormal factor that depends on what is asked for.
struct ThinkTime: Sendable, Hashable {
  /// The time that half of the answers take at most.
  var median = Duration.zero
  /// The standard deviation of the factor's logarithm.
  var sigma = 0.0

  /// The time for an attempt to get `target`, in whole µs, so that the last bit of a system's logarithm says nothing.
  func time(for target: String, attempt: Int, seed: UInt64) -> Duration {
    guard median > .zero else { return .zero }
    let factor = SeededDraw(seed: seed).lognormal(
      median: 1, sigma: sigma, "jitter", SeededDraw.id(target, attempt: attempt))
    // At most an hour, which is longer than any deadline and far from overflow.
    return .microseconds(Int64((min(median.seconds * factor, 3_600) * 1_000_000).rounded()))
  }
}

extension SeededDraw {
  /// A number for the `attempt`th time that something with a name happens, for draws that depend on both; small enough
  /// to be doubled.
  static func id(_ name: String, attempt: Int) -> Int {
    Int(mixed(hash(name) ^ mixed(UInt64(bitPattern: Int64(attempt)))) >> 2)
  }
}
