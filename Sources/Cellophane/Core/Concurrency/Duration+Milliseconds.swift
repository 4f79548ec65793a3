extension Duration {
  /// In milliseconds, and one more where that is not all: who waits for so many has waited for it.
  var millisecondsUp: Int {
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    return Int(clamping: whole + (rest > 0 ? 1 : 0))
  }
}
