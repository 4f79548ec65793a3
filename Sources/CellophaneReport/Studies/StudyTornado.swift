/// The effect of each parameter of a sensitivity study on the blank share, the largest effect first.
struct StudyTornado: Sendable {
  /// One parameter.
  struct Row: Sendable {
    let name: String
    /// The changes of the blank share if the parameter is multiplied by 0.5 and by 1.5.
    let half, oneAndAHalf: MetricDifference?

    /// The size of the larger change, without its sign.
    var size: Double { [half, oneAndAHalf].map { abs($0?.mean ?? 0) }.max() ?? 0 }
  }

  let rows: [Row]
  private let family: DifferenceFamily

  init(_ result: StudyResult) {
    var changes: [String: [String: MetricDifference]] = [:]
    var names: [String] = []
    for one in result.cases.dropFirst() where one.values.count == 2 {
      if changes[one.values[0]] == nil { names.append(one.values[0]) }
      changes[one.values[0], default: [:]][one.values[1]] =
        one.metrics[StudyNumber.blank.path]?.difference
    }
    rows = names.map { Row(name: $0, half: changes[$0]?["0.5"], oneAndAHalf: changes[$0]?["1.5"]) }
      .sorted { $0.size > $1.size }
    family = DifferenceFamily(rows.flatMap { [$0.half, $0.oneAndAHalf] }.compactMap(\.self))
  }

  /// The size of the largest change.
  var largest: Double { rows.first?.size ?? 0 }

  /// Returns whether `change` is confirmed.
  func isShown(_ change: MetricDifference?) -> Bool {
    family.claim(change, in: StudyNumber.blank.path) != nil
  }

  /// Returns `change` in percentage points, with a question mark if it is not confirmed.
  func text(_ change: MetricDifference?) -> String {
    guard let mean = change?.mean else { return Quantity.unknown }
    return Self.signed(mean) + (isShown(change) ? "" : "?")
  }

  /// Returns a change in percentage points with its sign. A change that rounds to 0 has no sign.
  static func signed(_ mean: Double) -> String {
    Quantity.signed(Quantity.points(abs(mean)), isNegative: mean < 0)
  }
}
