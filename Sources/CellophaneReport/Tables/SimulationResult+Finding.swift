internal import Cellophane

extension SimulationResult {
  /// The name of the loader under test, as the subject of a sentence.
  var subject: String { isCellophane ? "Cellophane" : loader }

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

  /// The smallest share of prefetched images or of memory hits that the report names as a cause.
  private static let leastCause = 0.005

  /// The shares of prefetched images and of memory hits, which make the difference.
  private var reason: String? {
    guard baselines[.naive] != nil, let memory = metrics.run[.memoryHits] else { return nil }
    let ahead = metrics.run[.prefetchRecall] ?? 0
    var causes: [String] = []
    if ahead >= Self.leastCause {
      causes.append(
        "\(subject) starts \(Quantity.percent(ahead)) of the downloads that cells need before a cell requests them."
      )
    }
    if memory >= Self.leastCause {
      causes.append("Its memory cache answers \(Quantity.percent(memory)) of the requests of cells.")
    } else if let cost = cacheIsTooSmallFor {
      causes.append(
        "Its memory cache of \(Quantity.capacity(config.cache.memoryBytes)) holds no image: a value takes at most "
          + "an eighth, and an image has \(Quantity.bytes(Double(cost))).")
    }
    causes.append("A naive loader downloads an image each time its row enters the screen.")
    return causes.joined(separator: " ")
  }

  /// The decoded size of the first image, in bytes, if the memory cache is too small for it; otherwise nil.
  private var cacheIsTooSmallFor: Int? {
    guard let size = try? config.checkedLayout().pixelSize(of: 0) else { return nil }
    let cost = 4 * size.width * size.height
    return config.cache.memoryBytes > 0 && cost > config.cache.memoryBytes / 8 ? cost : nil
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
