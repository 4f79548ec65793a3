internal import Cellophane

extension SimulationResult {
  /// The name of the loader under test, as the subject of a sentence.
  private var subject: String { isCellophane ? "Cellophane" : loader }

  /// The blank share of the loader under test beside that of a naive loader; nil if nothing was measured.
  var finding: Finding? {
    guard let blank = metrics.run[.blankRatio] else { return nil }
    let own = Finding.Side(name: subject, share: blank)
    let path = MetricPath.metric(.blankRatio)
    guard let naive = baselines[.naive]?[.blankRatio] else {
      return Finding(
        sentence: "\(subject) leaves \(Quantity.percent(blank)) of the visible image area blank.",
        reason: reason, advice: advice(blank))
    }
    let difference = differences[.naive]?[path]
    return Finding(
      sentence: Finding.sentence(
        own, Finding.Side(name: "a naive loader", share: naive), difference,
        isConfirmed: family.claim(difference, in: path) != nil, replicas: config.replicas),
      reason: reason, advice: advice(blank))
  }

  /// The shares of prefetched images and of memory hits, which make the difference.
  private var reason: String? {
    guard baselines[.naive] != nil, let memory = metrics.run[.memoryHits] else { return nil }
    let hits = "Memory answers \(Quantity.percent(memory)) of the requests of cells"
    let naive = "A naive loader downloads an image each time its row enters the screen."
    guard let ahead = metrics.run[.prefetchRecall], ahead > 0 else { return hits + ". " + naive }
    return
      "\(subject) fetches \(Quantity.percent(ahead)) of the downloaded images before a cell requests them, "
      + "and memory answers \(Quantity.percent(memory)) of the requests. " + naive
  }

  /// Returns the next step for a run with the blank share `blank`, by what limits it.
  private func advice(_ blank: Double) -> String? {
    guard isCellophane, let bound = baselines[.oracle]?[.blankRatio] else { return nil }
    let limit = "No loader on this network can leave less than \(Quantity.percent(bound)) blank"
    // 0.8: four fifths of the blank area are out of reach for every loader.
    if bound >= 0.8 * blank || blank - bound < DifferenceFamily.smallestShare {
      return limit + ", so only smaller images or a faster network help."
    }
    let left = limit + ": at most \(Finding.points(blank - bound)) remain to gain. "
    if config.loader.prefetch == .none { return left + "Prefetching is off; try --prefetch rows:8,2.5." }
    if let share = coldShare, share >= 0.5 {
      return left
        + "\(Quantity.percent(share)) of the blank area is before the first scroll, where prefetching "
        + "does not help; use smaller images there, or previews."
    }
    return left + "Compare settings with cellophane advise."
  }

  /// The share of the blank area before the first movement of the list; nil if unknown.
  private var coldShare: Double? {
    guard let all = metrics.run[.blankPixelSeconds], all > 0,
      let cold = phases.first(where: { $0.name == .cold })?.metrics[.blankPixelSeconds]
    else { return nil }
    return min(1, cold / all)
  }
}
