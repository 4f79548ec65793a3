/// How often, and when, a load asks again after a failure that may pass.
public struct RetryPolicy: Hashable, Sendable {
  /// The most times that a load asks again. 2: three attempts for one request is what Google's services allow
  /// themselves (Beyer et al., Site Reliability Engineering, 2016, chapter 21); more only adds to an overload.
  public var retries = 2
  /// The pause before the second attempt; each further one is twice as long. 500 ms: what restarts or fails over
  /// is back within about a second, and a viewer still waits that long.
  public var firstDelay = Duration.milliseconds(500)
  /// The longest pause that a load waits through. When the origin asks for more, or is held back for longer, the
  /// load fails at once, and says so. 10 s: nobody looks at an empty place longer (Nielsen, Usability
  /// Engineering, 1993, chapter 5).
  public var longestWait = Duration.seconds(10)
  /// The longest time that an origin which fails, or which asks for it, is left alone. 60 s: after a minute one
  /// request is no burden, and an origin cannot lock itself out for longer by mistake.
  public var longestHold = Duration.seconds(60)
  /// Whether a load waits for an origin that is left alone. False for who comes again by itself, and chooses what goes
  /// first then: such a load fails at once, as one does that ends when its origin is left alone; what goes first is
  /// waited for.
  package var waitsForOrigins = true
  /// What the random part of the pauses depends on, beside what failed and how often; nil for something else each
  /// time. With a seed, the same failures give the same pauses, whatever else fails.
  public var seed: UInt64?

  /// The defaults.
  public init() {}

  /// The pause after `failures` in a row: half of an exponentially growing time, and a random `share`, from 0 to 1,
  /// of the other half, so that clients which failed together do not come back together (Brooker, "Exponential
  /// Backoff And Jitter", AWS Architecture Blog, 2015: equal jitter).
  func pause(after failures: Int, share: Double) -> Duration {
    // Doubling 20 times is beyond any limit that makes sense.
    let whole = min(firstDelay * (1 << min(max(failures, 1) - 1, 20)), longestHold)
    // Whole microseconds: a clock that counts coarser than a pause is exact would wake up before its end.
    return .microseconds(Int64((whole / .microseconds(1) * (0.5 + share / 2)).rounded(.up)))
  }
}

/// The random part of pauses: a function of a seed, of what failed and of how often it did. It has no state, so that
/// a failure more or less elsewhere changes no pause, and simulations can be compared.
struct Jitter: Sendable {
  private let seed: UInt64

  /// Shares drawn under `seed`; nil for one of its own.
  init(seed: UInt64?) { self.seed = seed ?? .random(in: .min ... .max) }

  /// Uniform in 0..<1, in steps of 2⁻⁵³, for the time that `name` has failed `failures` times in a row.
  func share(of name: String, after failures: Int) -> Double {
    let bytes = Array(name.utf8)
    var ofName = SplitMix64(seed: seed ^ XXH3.checksum(bytes.span))
    var ofFailure = SplitMix64(seed: ofName.next() ^ UInt64(truncatingIfNeeded: failures))
    return Double(ofFailure.next() >> 11) * 0x1p-53
  }
}
