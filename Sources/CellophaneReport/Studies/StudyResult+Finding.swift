extension StudyResult {
  /// The best case of a sweep, the strongest parameter, or the range of a suite; nil without numbers.
  var finding: Finding? {
    switch kind {
    case .sweep: sweepFinding
    case .sensitivity: sensitivityFinding
    case .suite: suiteFinding
    }
  }

  private func share(_ one: Case) -> Double? { one.metrics[StudyNumber.blank.path]?.mean }

  /// Returns the parameters with their values in a case.
  func named(_ one: Case) -> String {
    zip(parameters, one.values).map { "\($0) \($1)" }.joined(separator: ", ")
  }

  private var sweepFinding: Finding? {
    guard let first = cases.first, let share = share(first) else { return nil }
    let start = "The first case (\(named(first))) leaves \(Quantity.percent(share)) of the image area blank"
    guard comparesCases else { return Finding(sentence: start + ".") }
    guard replicas >= Bootstrap.minReplicas else {
      return Finding(sentence: start + ".")
    }
    let better = cases.filter { claim(of: $0, .blank) == .better }
    guard let least = better.compactMap(self.share).min(),
      // The first of several cases with the same text: none of these is better than the others.
      let best = better.first(where: { text(of: $0) == StudyNumber.blank.format(least) })
    else {
      return Finding(
        sentence: start + "; no case is confirmed to be better.",
        advice: "Keep the first case, or use more replicas to confirm a smaller difference.")
    }
    let difference = best.metrics[StudyNumber.blank.path]?.difference
    let bytes = best.metrics[.metric(.bytesDown)]?.difference?.mean
    let cost = bytes.map {
      " It receives \(Quantity.bytes(abs($0))) \($0 < 0 ? "less" : "more") per replica."
    }
    let equals = better.filter { $0 != best && text(of: $0) == text(of: best) }.prefix(4).map(named)
    return Finding(
      sentence: "Best: \(named(best)) leaves \(Quantity.percent(least)) of the image area blank, "
        + "\(Finding.points(abs(difference?.mean ?? 0))) less than the first case (\(named(first)))"
        + "\(Finding.interval(difference?.interval)).",
      advice: "Use \(named(best)), unless its cost matters more." + (cost ?? "")
        + (equals.isEmpty ? "" : " The number is the same with \(equals.joined(separator: "; "))."))
  }

  /// The blank share of a case as text.
  private func text(of one: Case) -> String? { share(one).map(StudyNumber.blank.format) }

  private var sensitivityFinding: Finding? {
    let tornado = StudyTornado(self)
    guard let row = tornado.rows.first, cases.first.flatMap(share) != nil else { return nil }
    guard tornado.isShown(row.half) || tornado.isShown(row.oneAndAHalf) else {
      return Finding(sentence: "No parameter is confirmed to change the blank share.")
    }
    return Finding(
      sentence:
        "The blank share depends most on \(row.name): \(tornado.text(row.half)) if it is 50 % smaller, "
        + "\(tornado.text(row.oneAndAHalf)) if it is 50 % larger.",
      advice: "Measure this parameter for your users before you rely on the numbers.")
  }

  /// The next step after a suite under the seeds for tuning; nil after other seeds.
  private var tuningNote: String? {
    sealedSeed.map { "Tune with these seeds, and publish the result of --seed \($0)." }
  }

  private var suiteFinding: Finding? {
    let shares = cases.compactMap(share).sorted()
    guard let least = shares.first, let most = shares.last else { return nil }
    let middle = (shares[(shares.count - 1) / 2] + shares[shares.count / 2]) / 2
    return Finding(
      sentence:
        "\(cases.count) cases leave \(Quantity.percent(least)) to \(Quantity.percent(most)) of the image area "
        + "blank; half of them \(Quantity.percent(middle)) or less.",
      advice: tuningNote ?? "Compare a case with --suite-case and --compare.")
  }
}
