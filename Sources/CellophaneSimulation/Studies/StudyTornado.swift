/// How much each number of a sensitivity study moves the blank share, the one that moves it most first.
struct StudyTornado: Sendable {
  /// One number.
  struct Row: Sendable {
    let name: String
    /// What came of half of it, and of one and a half of it: the change of the blank share.
    let half, halfMore: MetricDifference?

    /// The larger change, either way.
    var size: Double { [half, halfMore].map { abs($0?.mean ?? 0) }.max() ?? 0 }
  }

  let rows: [Row]

  init(_ result: StudyResult) {
    var changes: [String: [String: MetricDifference]] = [:]
    var names: [String] = []
    for one in result.cases.dropFirst() where one.values.count == 2 {
      if changes[one.values[0]] == nil { names.append(one.values[0]) }
      changes[one.values[0], default: [:]][one.values[1]] =
        one.metrics[StudyNumber.blank.path]?.difference
    }
    rows = names.map { Row(name: $0, half: changes[$0]?["0.5"], halfMore: changes[$0]?["1.5"]) }
      .sorted { $0.size > $1.size }
  }

  /// The largest change.
  var largest: Double { rows.first?.size ?? 0 }

  /// True when `change` is no work of chance: its interval does not cover 0.
  static func isShown(_ change: MetricDifference?) -> Bool { change?.claim(.lower) != nil }

  /// `change` in percentage points, with a question mark where it is not shown.
  static func text(_ change: MetricDifference?) -> String {
    guard let mean = change?.mean else { return Quantity.unknown }
    return signed(mean) + (isShown(change) ? "" : "?")
  }

  /// A change in percentage points, with its sign.
  static func signed(_ mean: Double) -> String { (mean < 0 ? "-" : "+") + Quantity.points(abs(mean)) }
}
