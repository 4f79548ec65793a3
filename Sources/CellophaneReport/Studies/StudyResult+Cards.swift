extension StudyResult {
  /// The main numbers at the top of a report.
  var cards: [Card] {
    switch kind {
    case .sensitivity: [firstCard("Blank share, base case")] + strongest + [invariantCard]
    case .sweep: [firstCard("Blank share, first case")] + extremes + [invariantCard]
    case .suite: extremes + [invariantCard]
    }
  }

  private func blank(_ one: Case) -> Double? { one.metrics[StudyNumber.blank.path]?.mean }

  private func firstCard(_ title: String) -> Card {
    let first = cases.first
    return Card(
      title: title, value: first.flatMap(blank).map(Quantity.percent) ?? Quantity.unknown,
      interval: first.flatMap(interval),
      meaning: "The part of the visible image area, over time, that lacked its image"
        + (kind == .sweep ? first.map { ", with " + named($0) } ?? "" : "") + ".")
  }

  /// Cards of the best and of the worst case; none if both would show the same number.
  private var extremes: [Card] {
    let known = cases.filter { blank($0) != nil }
    guard let best = known.min(by: { blank($0) ?? 0 < blank($1) ?? 0 }),
      let worst = known.max(by: { blank($0) ?? 0 < blank($1) ?? 0 }),
      blank(best).map(Quantity.percent) != blank(worst).map(Quantity.percent)
    else { return [] }
    return [("Lowest blank share", best), ("Highest blank share", worst)].map { title, one in
      Card(
        title: title, value: blank(one).map(Quantity.percent) ?? Quantity.unknown, interval: interval(one),
        meaning: "With " + named(one) + comparison(one) + ".")
    }
  }

  /// Returns a comparison of `one` with the first case of a sweep.
  private func comparison(_ one: Case) -> String {
    guard kind == .sweep else { return "" }
    if one == cases.first { return ", the first case" }
    return switch claim(of: one, .blank) {
    case .better: "; better than the first case (paired replicas, 95 %)"
    case .worse: "; worse than the first case (paired replicas, 95 %)"
    case .less, .more, nil: "; no confirmed difference from the first case"
    }
  }

  private var strongest: [Card] {
    let tornado = StudyTornado(self)
    guard let row = tornado.rows.first else { return [] }
    let larger = [row.half, row.oneAndAHalf].max { abs($0?.mean ?? 0) < abs($1?.mean ?? 0) } ?? nil
    return [
      Card(
        title: "Largest effect on the blank share", value: tornado.text(larger),
        meaning: "Parameter \(SettingLabels.scaled(row.name)). The blank share changes by "
          + "\(tornado.text(row.half)) if it is 50 % smaller, and by \(tornado.text(row.oneAndAHalf)) if it is "
          + "50 % larger.")
    ]
  }

  private var invariantCard: Card {
    let misplaced = cases.reduce(0) { $0 + Double($1.invariants.misplaced) }
    return Card(
      title: "Wrong images", value: Quantity.grouped(misplaced),
      meaning: broken.isEmpty
        ? "Slots that showed the image of another row, in all cases. No image had two transfers at the same time. "
          + "No work continued after the last request ended."
        : "Broken invariants: " + broken.joined(separator: "; ") + ".",
      holds: broken.isEmpty)
  }

  private func interval(_ one: Case) -> String? {
    guard let interval = one.metrics[StudyNumber.blank.path]?.interval, let low = interval.low,
      let high = interval.high
    else { return nil }
    return "95 % interval \(Quantity.percent(low)) to \(Quantity.percent(high)), \(replicas) replicas"
  }
}
