internal import Cellophane

extension SimulationResult {
  /// Returns the result as a text table with a final line break. It has at most 80 columns with up to three
  /// baselines.
  ///
  /// - Parameters:
  ///   - all: Whether the table has all rows and their definitions, or the twelve that matter most.
  ///   - usesColor: Whether marked numbers are green and red, for a terminal.
  public func table(all: Bool = false, usesColor: Bool = false) -> String {
    let others = LoaderUnderTest.allCases.filter { baselines[$0] != nil }
    var lines = incomplete.map { ["INCOMPLETE: " + $0.sentence(of: "replicas")] } ?? []
    lines += config.heading(isVirtual: fingerprint != nil, loaders: "each loader")
    if let finding { lines += [""] + TextTable.wrapped(finding.sentence) }
    lines += ["", Self.line("", loader, others.map { TextTable.right($0.title, 10) })]
    for (index, section) in TableRow.sections(all: all).enumerated() {
      if all || index > 0 { lines.append(section.title) }
      for row in section.rows where shows(row) {
        let cells = others.map { other in
          let text = TextTable.right(self.other(row, other), 10)
          return usesColor ? claim(row, other)?.colored(text) ?? text : text
        }
        lines.append(Self.line("  " + row.label, own(row), cells))
      }
    }
    lines += [""] + (all ? definitions : notes(others)) + outcomes
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns true if `row` applies to the run.
  func shows(_ row: TableRow) -> Bool {
    (config.loader.previews || !row.needsPreviews) && (config.foresight || !row.needsForesight)
  }

  /// Returns the number of the loader under test in `row`, with half the width of its confidence interval.
  func own(_ row: TableRow) -> String {
    let interval: ConfidenceInterval? =
      switch row.number {
      case .path(let path): metrics.interval(of: path)
      case .derived: nil
      }
    let text = row.text(of: metrics.run)
    guard let half = interval?.halfWidth, half > 0, text != Quantity.unknown else { return text }
    return text + " ±" + Self.size(of: half, row, unit: text.drop { $0 != " " })
  }

  /// Returns `half` as text without the unit of its number, in that unit.
  private static func size(of half: Double, _ row: TableRow, unit: Substring) -> String {
    let size = row.format(half)
    if size.hasSuffix(unit) { return String(size.dropLast(unit.count)) }
    guard let factor = [" MB": 1e6, " kB": 1e3][unit] else { return size }
    return half < 0.05 * factor ? "<0.1" : Quantity.decimal(half / factor, places: 1)
  }

  /// Returns the number of another loader, with a mark if it is confirmed to be better or worse than that of
  /// the loader under test.
  func other(_ row: TableRow, _ loader: LoaderUnderTest) -> String {
    guard let run = baselines[loader] else { return Quantity.unknown }
    guard case .path(let path) = row.number else {
      // The oracle has no rows.
      return loader == .oracle ? Quantity.unknown : row.text(of: run)
    }
    let text = row.text(of: run)
    // An ideal cache answers the slot requests of the list, which are the same with every loader.
    if path == .metric(.bestMemoryHits), text == row.text(of: metrics.run) { return "same" }
    return (claim(row, loader)?.mark ?? "") + text
  }

  /// Returns the confirmed difference of another loader from the one under test in `row`; nil without one, and for the
  /// oracle: every loader is worse than the lower bound.
  func claim(_ row: TableRow, _ loader: LoaderUnderTest) -> DifferenceFamily.Claim? {
    guard loader != .oracle, case .path(let path) = row.number else { return nil }
    return family.claim(differences[loader]?[path], in: path)?.reversed
  }

  /// The differences that the table of all rows shows: all rows and all loaders except the lower bound.
  var family: DifferenceFamily {
    let paths = TableRow.sections.flatMap(\.rows).compactMap { row -> MetricPath? in
      if case .path(let path) = row.number { path } else { nil }
    }
    let compared = differences.filter { $0.key != .oracle }.values
    return DifferenceFamily(compared.flatMap { one in paths.compactMap { one[$0] } })
  }

  /// Short explanations of the marks and the loaders, below the twelve rows.
  private func notes(_ others: [LoaderUnderTest]) -> [String] {
    var lines =
      Bootstrap.caveat(for: config.replicas).map { [$0] } ?? [
        TableNotes.marks(reference: loader),
        "±: half the width of the 95 % interval over \(config.replicas) replicas, for % in points.",
      ]
    let words = others.compactMap { loader in
      switch loader {
      case .naive: "naive: a download for each cell, no caches."
      case .noPrefetch: "on demand: no prefetching."
      case .oracle: "oracle: no loader on this network can leave less blank."
      case .cellophane: "cellophane: this library with its settings."
      case .other: nil
      }
    }
    lines += TextTable.wrapped(words.joined(separator: " "))
    if config.list.isOwn { lines.append(TableNotes.ownImages) }
    if let advice = finding?.advice { lines += TextTable.wrapped("Next: " + advice) }
    return lines + ["--all prints all rows and their definitions."]
  }

  /// The definitions of the rows, below all rows.
  private var definitions: [String] {
    var lines =
      Bootstrap.caveat(for: config.replicas).map { [$0] } ?? [
        TableNotes.marks(reference: loader), TableNotes.confirmed,
        "±: half the width of the 95 % interval over replicas with a value (at most \(config.replicas)),\n"
          + "for % in percentage points.",
      ]
    lines.append(
      "All loaders see the same gestures. Time to image: from the first frame with a\n"
        + "row to the first with its image\(fingerprint == nil ? " (by its pixels)" : ""). A row that left before has\n"
        + "never had it, and counts in every quantile and share.")
    if config.replicas > 1 { lines.append(TableNotes.quantiles) }
    lines += [TableNotes.unknown, TableNotes.rows, TableNotes.sources]
    if config.list.isOwn { lines.append(TableNotes.ownImages) }
    if baselines[.naive] != nil { lines.append("naive: a download for each cell, without caches.") }
    if baselines[.cellophane] != nil { lines.append("cellophane: this library with its settings.") }
    if baselines[.noPrefetch] != nil { lines.append("on demand: cellophane without prefetching.") }
    if let oracleGap, let least = baselines[.oracle]?[.blankRatio] {
      lines.append(
        "oracle: no loader on this network can leave less than \(Quantity.percent(least)) blank; \(loader)\n"
          + "is \(Quantity.points(oracleGap)) (percentage points\(oracleGapInterval(Quantity.points))) above that."
      )
    }
    if metrics[.bestMemoryHits].mean != nil { lines.append(TableNotes.bestMemory) }
    if metrics[.hitches].mean == nil, time == SimulationConfiguration.Time.virtual.rawValue {
      lines.append(
        "Virtual time has no late frames: the main-thread work of an app causes them.")
    }
    return lines
  }

  /// The assertions and the broken invariants.
  private var outcomes: [String] {
    assertions.map(\.line) + invariants.broken.map { "INVARIANT BROKEN: \($0)" }
      + (invariants.repeatBroken.map { ["to repeat it: \($0)"] } ?? [])
  }

  /// Returns the 95 % interval of ``oracleGap`` as a suffix; empty with too few replicas.
  func oracleGapInterval(_ format: (Double) -> String) -> String {
    guard let interval = differences[.oracle]?[.metric(.blankRatio)]?.interval, let low = interval.low,
      let high = interval.high
    else { return "" }
    return "; 95 % interval \(format(low)) to \(format(high))"
  }

  private static func line(_ label: String, _ own: String, _ others: [String]) -> String {
    TextTable.line([label, own], widths: [32, 18]) + others.joined()
  }
}
