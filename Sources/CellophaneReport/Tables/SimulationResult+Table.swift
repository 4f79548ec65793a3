internal import Cellophane

extension SimulationResult {
  /// Returns the result as a text table with a final line break. It has at most 80 columns with up to three
  /// baselines.
  public func table() -> String {
    let others = LoaderUnderTest.allCases.filter { baselines[$0] != nil }
    var lines = incomplete.map { ["INCOMPLETE: " + $0.sentence(of: "replicas")] } ?? []
    lines += config.heading(isVirtual: fingerprint != nil, loaders: "each loader")
    lines.append("")
    lines.append(Self.line("", "cellophane", others.map(\.title)))
    for section in TableRow.sections {
      lines.append(section.title)
      for row in section.rows where showsPreviews || !row.needsPreviews {
        lines.append(Self.line("  " + row.label, own(row), others.map { other(row, $0) }))
      }
    }
    lines.append("")
    lines.append(contentsOf: explanation)
    return lines.joined(separator: "\n") + "\n"
  }

  /// True if slots showed previews.
  var showsPreviews: Bool { config.loader.previews }

  /// Returns the number of Cellophane in `row`, with half the width of its confidence interval.
  func own(_ row: TableRow) -> String {
    let interval: ConfidenceInterval? =
      switch row.number {
      case .path(let path): metrics.interval(of: path)
      case .derived: nil
      }
    let text = row.text(of: metrics.run)
    guard let half = interval?.halfWidth, half > 0, text != Quantity.unknown else { return text }
    return text + " ±" + row.format(half).replacing(" %", with: "")
  }

  /// Returns the number of another loader, with a mark if Cellophane is confirmed to be better or worse.
  func other(_ row: TableRow, _ loader: LoaderUnderTest) -> String {
    guard let run = baselines[loader] else { return Quantity.unknown }
    guard case .path(let path) = row.number else {
      // The oracle has no rows.
      return loader == .oracle ? Quantity.unknown : row.text(of: run)
    }
    let text = row.text(of: run)
    // An ideal cache answers the slot requests of the list, which are the same with every loader.
    if path == .metric(.bestMemoryHits), text == row.text(of: metrics.run) { return "same" }
    // Every loader is worse than the lower bound.
    let claim = loader == .oracle ? nil : family.claim(differences[loader]?[path], in: path)
    return (claim?.mark ?? "") + text
  }

  /// The differences that the table shows: all rows and all loaders except the lower bound.
  private var family: DifferenceFamily {
    let paths = TableRow.sections.flatMap(\.rows).compactMap { row -> MetricPath? in
      if case .path(let path) = row.number { path } else { nil }
    }
    let compared = differences.filter { $0.key != .oracle }.values
    return DifferenceFamily(compared.flatMap { one in paths.compactMap { one[$0] } })
  }

  private var explanation: [String] {
    let marks =
      "*: cellophane is better than this loader; !: cellophane is worse. The\n"
      + "probability of any false mark is at most 5 % (pairs of replicas, Holm); marked\n"
      + "shares differ by 0.05 points or more. ±: half the width of the 95 % interval\n"
      + "over replicas with a value (at most \(config.replicas)), for % in percentage points."
    var lines = [
      Bootstrap.caveat(for: config.replicas) ?? marks,
      "All loaders see the same gestures. Time to image: from the first frame with a\n"
        + "row to the first with its image\(fingerprint == nil ? " (by its pixels)" : ""). A row that left before has\n"
        + "never had it, and counts in every quantile and share.",
    ]
    if config.replicas > 1 {
      lines.append(TableNotes.quantiles)
    }
    lines += [TableNotes.unknown, TableNotes.rows, TableNotes.sources]
    if config.list.isOwn { lines.append(TableNotes.ownImages) }
    if baselines[.naive] != nil { lines.append("naive: a download for each cell, without caches.") }
    if baselines[.noPrefetch] != nil { lines.append("on demand: cellophane without prefetching.") }
    if let oracleGap, let least = baselines[.oracle]?[.blankRatio] {
      lines.append(
        "oracle: no loader on this network can leave less than \(Quantity.percent(least)) blank; cellophane\n"
          + "is \(Quantity.points(oracleGap)) (percentage points\(oracleGapInterval(Quantity.points))) above that."
      )
    }
    if metrics[.bestMemoryHits].mean != nil { lines.append(TableNotes.bestMemory) }
    if metrics[.hitches].mean == nil, time == SimulationConfiguration.Time.virtual.rawValue {
      lines.append(
        "Virtual time has no late frames: the main-thread work of an app causes them.")
    }
    lines.append(contentsOf: assertions.map(\.line))
    lines.append(contentsOf: invariants.broken.map { "INVARIANT BROKEN: \($0)" })
    if let command = invariants.repeatBroken { lines.append("to repeat it: \(command)") }
    return lines
  }

  /// Returns the 95 % interval of ``oracleGap`` as a suffix; empty with too few replicas.
  func oracleGapInterval(_ format: (Double) -> String) -> String {
    guard let interval = differences[.oracle]?[.metric(.blankRatio)]?.interval, let low = interval.low,
      let high = interval.high
    else { return "" }
    return "; 95 % interval \(format(low)) to \(format(high))"
  }

  private static func line(_ label: String, _ own: String, _ others: [String]) -> String {
    TextTable.line([label, own] + others, widths: [32, 18] + others.map { _ in 10 })
  }
}
