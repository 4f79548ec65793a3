extension SimulationResult {
  /// Every number as tables: beside the other loaders, and by phase.
  var numbers: [Table] {
    let others = Contender.allCases.filter { baselines[$0] != nil }
    var tables = TableRow.sections.map { section in
      Table(
        caption: section.title, head: ["", Contender.cellophane.title] + others.map(\.title),
        rows: section.rows.filter { showsPreviews || !$0.isOfPreviews }.map { row in
          [row.label, own(row)] + others.map { other(row, $0) }
        })
    }
    if phases.count > 1 {
      tables.append(
        Table(
          caption: "cellophane by phase", head: [""] + phases.map(\.name.title),
          rows: TableRow.ofPhases.map { row in [row.label] + phases.map { row.text(of: $0.metrics) } }))
    }
    return tables
  }

  /// Who the loaders are, and what the marks mean.
  var numberNotes: [String] {
    let loaders = [.cellophane] + Contender.allCases.filter { baselines[$0] != nil }
    var notes = loaders.map { "\($0.title): \($0.meaning)" }
    notes.append(
      Bootstrap.reservation(for: config.replicas)
        ?? "±: half of the 95 % interval over \(config.replicas) replicas. Marked is only what pairs of replicas show, the "
        + "same list and flicks for both: * cellophane is better, ! cellophane is worse. Where there is no mark, no "
        + "difference is shown, however large it looks.")
    if metrics[.bestMemoryHits].mean != nil {
      notes.append(
        TableRow.bestMemory.replacing("\n", with: " ")
          + " Its policy alone, below that: how much of the bound this run's policy misses on the same requests, without "
          + "loading ahead.")
    }
    if phases.count > 1 { notes.append(RunPhase.meaning) }
    notes.append("–: not known, or not measured of this loader.")
    return notes
  }
}

extension Contender {
  /// What it is, for who never heard of it.
  fileprivate var meaning: String {
    switch self {
    case .naive:
      "a loader as one writes it on the first day. It keeps nothing, shares nothing, gives nothing up and checks nothing."
    case .noPrefetch: "Cellophane as well, but nothing is loaded before its row comes in."
    case .oracle:
      "no loader but a bound: the least blank area that anything could have had over this line, had it known every flick "
        + "beforehand."
    case .cellophane: "this run, as it is set up below."
    }
  }
}

extension RunPhase {
  fileprivate var title: String {
    switch self {
    case .cold: "at the start"
    case .scroll: "further down than ever"
    case .back: "elsewhere"
    }
  }

  fileprivate static let meaning =
    "Phases: at the start, until the list moves for the first time; further down than ever, where every row is new; "
    + "elsewhere, where most rows are seen again. Bytes that still came of transfers after they were given up are of no "
    + "phase, only of the whole."
}
