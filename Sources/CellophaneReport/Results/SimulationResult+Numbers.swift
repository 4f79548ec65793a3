extension SimulationResult {
  /// All metrics as tables: next to the other loaders, and by phase.
  var numbers: [Table] {
    let others = LoaderUnderTest.allCases.filter { baselines[$0] != nil }
    var tables = TableRow.sections.map { section in
      Table(
        caption: section.title, head: ["", loader] + others.map(\.title),
        rows: section.rows.filter(shows).map { row in
          [row.label, own(row)] + others.map { other(row, $0) }
        })
    }
    if phases.count > 1 {
      tables.append(
        Table(
          caption: "\(loader) by phase", head: [""] + phases.map(\.name.title),
          rows: TableRow.phaseRows.map { row in [row.label] + phases.map { row.text(of: $0.metrics) } }))
    }
    return tables
  }

  /// Explanations of the loaders and of the marks.
  var numberNotes: [String] {
    let others = LoaderUnderTest.allCases.filter { baselines[$0] != nil }
    var notes =
      ["\(loader): this run, with the settings below."] + others.map { "\($0.title): \($0.meaning)" }
    notes.append(
      Bootstrap.caveat(for: config.replicas)
        ?? TableNotes.marks(reference: loader) + " " + TableNotes.confirmed
        + " ±: half the width of the 95 % interval over replicas with a value (at most "
        + "\(config.replicas)), for % in percentage points.")
    if metrics[.bestMemoryHits].mean != nil {
      notes.append(TableNotes.bestMemory)
    }
    if config.replicas > 1 {
      notes.append(TableNotes.quantiles)
    }
    notes += [TableNotes.rows, TableNotes.sources]
    if config.list.isOwn { notes.append(TableNotes.ownImages) }
    if phases.count > 1 { notes.append(RunPhase.meaning) }
    notes.append(TableNotes.unknown)
    return notes.map { $0.replacing("\n", with: " ") }
  }
}

extension LoaderUnderTest {
  /// An explanation of the loader.
  fileprivate var meaning: String {
    switch self {
    case .naive:
      "a simple loader. Each cell starts its own download; nothing is cached, shared, cancelled or checked."
    case .noPrefetch: "Cellophane without prefetching."
    case .oracle:
      "a lower bound, not a loader: the lowest blank share that any loader could reach over this network if it knew all "
        + "gestures in advance."
    case .cellophane: "this library with its settings."
    case .other: "another loader."
    }
  }
}

extension RunPhase {
  fileprivate var title: String {
    switch self {
    case .cold: "at the start"
    case .scroll: "first time down"
    case .back: "already visited"
    }
  }

  fileprivate static let meaning =
    "Phases: at the start, until the list first moves; first time down, at the lowest position so far, where every row is "
    + "new; already visited, above that position, where most rows appear again. Bytes that arrived after a cancellation "
    + "count in the totals, but in no phase. A mean covers the replicas that have the phase, so the phases need not add "
    + "up to the complete run."
}
