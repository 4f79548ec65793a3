extension Duration {
  /// The duration in milliseconds, rounded up so that a wait never ends early.
  package var millisecondsUp: Int {
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    return Int(clamping: whole + (rest > 0 ? 1 : 0))
  }
}
