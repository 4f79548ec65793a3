/// A result in one sentence, with the reason and the next step.
struct Finding: Sendable {
  /// The sentence that compares two numbers.
  let sentence: String
  /// The reason for the difference; nil if it is unknown.
  var reason: String?
  /// The next step; nil if the result suggests none.
  var advice: String?

  /// The reason and the next step, each with a title.
  var notes: [(title: String, text: String)] {
    [("Why:", reason), ("What to do:", advice)].compactMap { title, text in text.map { (title, $0) } }
  }

  /// One of the two compared blank shares.
  struct Side: Sendable {
    /// The subject of the sentence, such as `Cellophane`.
    let name: String
    let share: Double
  }

  /// Returns the sentence about the blank share of `one`, compared with that of `other`.
  ///
  /// - Parameters:
  ///   - difference: The blank share of `one` minus that of `other`; nil if unknown.
  ///   - isConfirmed: Whether the difference is confirmed.
  ///   - replicas: The number of replicas, which may be too few for an interval.
  static func sentence(
    _ one: Side, _ other: Side, _ difference: MetricDifference?, isConfirmed: Bool, replicas: Int
  ) -> String {
    let start =
      "\(one.name) leaves \(Quantity.percent(one.share)) of the visible image area blank, "
      + "\(other.name) \(Quantity.percent(other.share))"
    guard isConfirmed, let mean = difference?.mean else {
      let reason =
        replicas < Bootstrap.minReplicas
        ? "\(replicas == 1 ? "one replica does" : "\(replicas) replicas do") not show whether this is chance"
        : "no difference is confirmed"
      return start + "; \(reason)."
    }
    let direction = mean < 0 ? "less" : "more"
    return start + ": \(points(abs(mean))) \(direction)\(interval(difference?.interval))."
  }

  /// Returns a difference of shares, such as `16.7 points`.
  static func points(_ difference: Double) -> String {
    Quantity.points(difference).replacing(" pp", with: " points")
  }

  /// Returns the 95 % interval of a difference, without its sign, in parentheses after a space; empty if an end is
  /// unknown.
  static func interval(_ interval: ConfidenceInterval?) -> String {
    guard let interval, let low = interval.low, let high = interval.high else { return "" }
    let ends = [abs(low), abs(high)].sorted().map { Quantity.percent($0).replacing(" %", with: "") }
    return " (95 % interval \(ends[0]) to \(ends[1]))"
  }
}
