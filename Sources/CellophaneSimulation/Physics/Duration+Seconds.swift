extension Duration {
  /// The duration in seconds.
  var seconds: Double { self / .seconds(1) }

  /// The duration in milliseconds.
  var milliseconds: Double { self / .milliseconds(1) }

  /// `seconds`, rounded to whole nanoseconds, so that nothing is decided by the last bit of a logarithm.
  static func roundedSeconds(_ seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
