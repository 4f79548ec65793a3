extension StudyResult {
  /// The numbers at the head of a report.
  var cards: [Card] {
    switch kind {
    case .sensitivity: [firstCard("Blank picture area, as it is")] + strongest + [invariantCard]
    case .sweep: [firstCard("Blank picture area, first case")] + extremes + [invariantCard]
    case .suite: extremes + [invariantCard]
    }
  }

  private func blank(_ one: Case) -> Double? { one.metrics[StudyNumber.blank.path]?.mean }

  private func firstCard(_ title: String) -> Card {
    let first = cases.first
    return Card(
      title: title, value: first.flatMap(blank).map(Quantity.percent) ?? Quantity.unknown,
      interval: first.flatMap(interval),
      meaning: "The share of the picture area on the screen, over time, that lacked its picture"
        + (kind == .sweep ? first.map { ", with " + named($0) } ?? "" : "") + ".")
  }

  /// The best and the worst case; none where no two are different.
  private var extremes: [Card] {
    let known = cases.filter { blank($0) != nil }
    guard let best = known.min(by: { blank($0) ?? 0 < blank($1) ?? 0 }),
      let worst = known.max(by: { blank($0) ?? 0 < blank($1) ?? 0 }), blank(best) != blank(worst)
    else { return [] }
    return [("Least blank", best), ("Most blank", worst)].map { title, one in
      Card(
        title: title, value: blank(one).map(Quantity.percent) ?? Quantity.unknown, interval: interval(one),
        meaning: "With " + named(one) + beside(one) + ".")
    }
  }

  /// What can be said of `one` beside the first case.
  private func beside(_ one: Case) -> String {
    guard kind == .sweep else { return "" }
    if one == cases.first { return ", the first case" }
    return switch claim(of: one, .blank) {
    case .better: "; shown to be better than the first case"
    case .worse: "; shown to be worse than the first case"
    case .less, .more, nil: "; no difference to the first case is shown"
    }
  }

  private var strongest: [Card] {
    guard let row = StudyTornado(self).rows.first else { return [] }
    let larger = [row.half, row.halfMore].max { abs($0?.mean ?? 0) < abs($1?.mean ?? 0) } ?? nil
    return [
      Card(
        title: "The largest change", value: StudyTornado.text(larger),
        meaning: "Of \(SettingWords.scaled(row.name)). With half of it, the blank share changes by "
          + "\(StudyTornado.text(row.half)), with half more by \(StudyTornado.text(row.halfMore)).")
    ]
  }

  private var invariantCard: Card {
    let misplaced = cases.reduce(0) { $0 + Double($1.invariants.misplaced) }
    return Card(
      title: "Wrong pictures", value: Quantity.grouped(misplaced),
      meaning: broken.isEmpty
        ? "How often a slot showed the picture of another row, in all cases. No two transfers of one picture ran at once, "
          + "and nothing was left over."
        : "Broken: " + broken.joined(separator: "; ") + ".",
      holds: broken.isEmpty)
  }

  private func interval(_ one: Case) -> String? {
    guard let interval = one.metrics[StudyNumber.blank.path]?.interval, let low = interval.low,
      let high = interval.high
    else { return nil }
    return "95 % interval \(Quantity.percent(low)) to \(Quantity.percent(high)), \(replicas) replicas"
  }

  private func named(_ one: Case) -> String {
    zip(parameters, one.values).map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
