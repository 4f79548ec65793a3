extension Duration {
  /// The duration in the largest unit with a count of at least two: `90 s`, `5 min`, `30 h`, `12 days`.
  /// Fractions of a second are omitted.
  package var inWords: String {
    let seconds = components.seconds
    for (unit, length) in [("days", 86_400), ("h", 3_600), ("min", 60)] as [(String, Int64)]
    where seconds >= 2 * length {
      return "\(seconds / length) \(unit)"
    }
    return "\(max(0, seconds)) s"
  }
}
