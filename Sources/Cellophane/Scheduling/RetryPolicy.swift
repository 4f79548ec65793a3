/// The number of retries after temporary failures, and the pauses before them.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of retries of a load. 2: Google's services allow three attempts for a request (Beyer et al., Site
  /// Reliability Engineering, 2016, chapter 21); more would add to an overload.
  public var retries: Int
  /// The pause before the second attempt; each further pause is twice as long. 500 ms: a restart or failover takes about
  /// a second, and a viewer still waits that long.
  public var firstDelay: Duration
  /// The longest pause for which a load waits. When the origin asks for more, or its circuit stays open for longer, the
  /// load fails at once. 10 s: the limit of a user's attention (Nielsen, Usability Engineering, 1993, chapter 5).
  public var longestWait: Duration
  /// The longest time for which a circuit stays open, also when the origin asks for more. 60 s: one request per minute is
  /// no burden, and an origin cannot lock itself out for longer by mistake.
  public var longestOpenTime: Duration
  /// Whether loads wait for the circuit of an origin and before a retry. False for callers that reschedule loads themselves
  /// and choose the half-open probe: such loads fail at once. They still wait for a running probe, and resume bodies.
  package var waitsForOrigins = true
  /// The seed of the random part of the pauses; nil for a different one in each process. With a seed, equal failures have
  /// equal pauses, whatever else fails.
  public var seed: UInt64?

  /// Creates a policy.
  public init(
    retries: Int = 2, firstDelay: Duration = .milliseconds(500),
    longestWait: Duration = .seconds(10), longestOpenTime: Duration = Duration.seconds(60),
    seed: UInt64? = nil
  ) {
    self.retries = retries
    self.firstDelay = firstDelay
    self.longestWait = longestWait
    self.longestOpenTime = longestOpenTime
    self.seed = seed
  }

  /// Returns the pause after `failures` in a row: half of an exponentially growing time and a random `share`, from 0 to 1, of
  /// the other half. So clients that failed together do not return together (Brooker, "Exponential Backoff And Jitter", AWS
  /// Architecture Blog, 2015: equal jitter).
  func pause(after failures: Int, share: Double) -> Duration {
    // 20 doublings exceed any sensible limit.
    let full = min(firstDelay * (1 << min(max(failures, 1) - 1, 20)), longestOpenTime)
    // Rounded up to microseconds: a clock with a coarser resolution than the pause would wake up before its end.
    return .microseconds(Int64((full / .microseconds(1) * (0.5 + share / 2)).rounded(.up)))
  }
}

/// The random part of pauses: a function of a seed, a name and a number of failures. It has no state, so that failures of
/// other names change no pause, and simulations can be compared.
struct Jitter: Sendable {
  private let seed: UInt64

  /// Creates a jitter with `seed`; nil for a random seed.
  init(seed: UInt64?) { self.seed = seed ?? .random(in: .min ... .max) }

  /// Returns a number in 0..<1, uniform in steps of 2⁻⁵³, for `failures` in a row of `name`.
  func share(of name: String, after failures: Int) -> Double {
    let bytes = Array(name.utf8)
    var ofName = SplitMix64(seed: seed ^ XXH3.checksum(bytes.span))
    var ofFailure = SplitMix64(seed: ofName.next() ^ UInt64(truncatingIfNeeded: failures))
    return Double(ofFailure.next() >> 11) * 0x1p-53
  }
}
