extension Duration {
  /// The duration in seconds.
  package var seconds: Double { self / .seconds(1) }

  /// The duration in milliseconds.
  package var milliseconds: Double { self / .milliseconds(1) }

  /// The duration in whole nanoseconds, rounded towards zero. Exact: a quotient of `Double`s may be one too
  /// small.
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Returns `seconds`, rounded to whole nanoseconds: the last bits of a logarithm differ between systems.
  package static func roundedSeconds(_ seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
