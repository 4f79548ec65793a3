extension Duration {
  /// The duration in seconds.
  var seconds: Double { self / .seconds(1) }

  /// The duration in milliseconds.
  var milliseconds: Double { self / .milliseconds(1) }

  /// The whole nanoseconds of the duration, exactly: a quotient of `Double`s may fall one short.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// `seconds`, rounded to whole nanoseconds, so that nothing is decided by the last bit of a logarithm.
  static func roundedSeconds(_ seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
