internal import Cellophane
internal import CellophaneNetwork

/// The model behind a ``FlowTransport``: an access link, the protocol on it, and the origin behind it.
struct ModeledLink: Sendable, Hashable {
  /// The rates, the round trip and the loss of the link.
  var profile: NetworkProfile
  /// The rate over time; nil if it is constant.
  var rates: RateSchedule?
  /// The way in which exchanges share connections.
  var sharing = ConnectionPool.Sharing.http1(limit: nil)
  /// The number of origins behind the link. Each has its own connections.
  var origins = 1
  /// The number of round trips of a connection's handshakes: one for TCP, and one more for TLS 1.3 (RFC 8446). One for
  /// QUIC, and none if it resumes a session (RFC 9001, section 4.6).
  var handshakes = 1
  /// The time that the origin takes to answer.
  var think = ThinkTime()
  /// The maximum number of remaining bytes for which a cancelled HTTP/1.1 exchange is read to its end. Its
  /// connection is then reused; otherwise it closes.
  var maxDrainedBytes = 0
  /// The order in which servers send the streams of a connection.
  var scheduling = StreamScheduling.urgency
  /// True if a lost segment delays all streams of its connection.
  var isOrdered = true
  /// The change of a congestion window while its connection is idle.
  var idleRestart = IdleRestart.reset
  /// The seed of losses and jitter.
  var seed: UInt64 = 1

  /// The time of a connection's handshakes.
  var setup: Duration { profile.roundTrip * handshakes }

  /// The parameters of the link's connections.
  var terms: FlowTerms {
    var terms = FlowTerms(
      bitsPerSecond: profile.downBitsPerSecond, roundTrip: profile.roundTrip, loss: profile.loss, rates: rates
    )
    terms.idleRestart = idleRestart
    terms.scheduling = scheduling
    terms.isOrdered = isOrdered
    terms.seed = seed
    return terms
  }

  /// Returns the time at which a response arrives that is due at `time`. Nothing arrives while the rate is 0.
  func arrival(dueAt time: Int64) -> Int64 { rates?.nextFlow(from: time) ?? time }

  /// The earliest time of the first byte of a response: after the handshakes of the first connection, and the round
  /// trip of the request.
  private var firstByte: Duration { setup + profile.roundTrip }

  /// Returns the number of bytes of bodies that the link can deliver in the first `seconds` of a run.
  func deliverable(in seconds: Double) -> Double {
    if let rates {
      let end = Int64((seconds * 1e9).rounded(.up))
      return Double(rates.bits(from: min(firstByte.wholeNanoseconds, end), to: end)) / Double(FlowTerms.byte)
    }
    let rate = profile.downBitsPerSecond.map { Double($0) / 8 } ?? 1e12
    return max(0, seconds - firstByte.seconds) * rate
  }

  /// Returns a uniform number in 0..<1 that decides about losses in an attempt to transfer `target`.
  func lossDraw(of target: String, attempt: Int) -> Double {
    SeededDraw(seed: seed).uniform("loss", SeededDraw.id(target, attempt: attempt))
  }
}

/// The time that an origin takes to answer: a median, and a lognormal factor that depends on the target.
struct ThinkTime: Sendable, Hashable {
  /// The median time.
  var median = Duration.zero
  /// The standard deviation of the factor's logarithm.
  var sigma = 0.0

  /// Returns the time for an attempt to get `target`. Rounded to whole µs: the last bits of a logarithm
  /// differ between systems.
  func time(for target: String, attempt: Int, seed: UInt64) -> Duration {
    guard median > .zero else { return .zero }
    let factor = SeededDraw(seed: seed).lognormal(
      median: 1, sigma: sigma, "jitter", SeededDraw.id(target, attempt: attempt))
    // At most an hour: longer than any deadline, and far from overflow.
    return .microseconds(Int64((min(median.seconds * factor, 3_600) * 1_000_000).rounded()))
  }
}

extension SeededDraw {
  /// Returns an identifier of an attempt for draws that depend on a name and an attempt; small enough to be
  /// doubled.
  static func id(_ name: String, attempt: Int) -> Int {
    Int(mixed(hash(name) ^ mixed(UInt64(bitPattern: Int64(attempt)))) >> 2)
  }
}
