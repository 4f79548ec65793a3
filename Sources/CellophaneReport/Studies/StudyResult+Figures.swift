extension StudyResult {
  /// The figures of a report.
  var figures: [Figure] {
    switch kind {
    case .sensitivity: [tornadoFigure].compactMap(\.self)
    case .sweep where parameters.count == 2: heatMaps
    case .sweep, .suite: charts
    }
  }

  private var heatMaps: [Figure] {
    let blank = HeatMap(result: self, number: .blank)
    let others = numbers.dropFirst().map { HeatMap(result: self, number: $0) }
    return [
      Figure(
        id: "blank", title: "Blank share",
        reading:
          "Each cell is one case, with its values at the left and above."
          + (marks.map {
            " Darker and more orange cells are worse; on a dark page, brighter ones are. Equal numbers have equal "
              + "colors, and small differences similar ones. The first case has a frame. "
              + $0.replacing("\n", with: " ")
          } ?? ""),
        panels: [blank.panel], table: blank.table),
      Figure(
        id: "others", title: "Other metrics",
        reading:
          "The same cases, each map shaded from its best value. Higher is better for memory hits and for images within "
          + "400 ms, lower for the others.",
        panels: others.map(\.panel)),
    ]
  }

  private var charts: [Figure] {
    let blank = IntervalChart(result: self, number: .blank).panels
    let others = numbers.dropFirst().flatMap { IntervalChart(result: self, number: $0).panels }
    let comparison =
      comparesCases
      ? " The dashed line is the value of the first case. The others are compared with it. "
        + (marks ?? "").replacing("\n", with: " ") : ""
    let legend =
      comparesCases
      ? [
        (swatch: "better", meaning: "better than the first case"),
        (swatch: "worse", meaning: "worse than the first case"),
        (swatch: "unproven", meaning: "no confirmed difference"),
      ] : []
    let reading =
      "Each row is one case. The dot is its value"
      + (replicas >= Bootstrap.minReplicas
        ? ", the line through the dot its 95 % interval."
        : ". An interval needs at least \(Bootstrap.minReplicas) replicas.")
      + comparison
    return [
      Figure(
        id: "blank", title: "Blank share", reading: reading + " Further left is better.", panels: blank,
        legend: legend),
      Figure(
        id: "others", title: "Other metrics",
        reading:
          "The same cases. Higher is better for \(kind == .suite ? "" : "memory hits and ")images within 400 ms, lower for "
          + "the others.",
        panels: others,
        legend: legend),
    ].filter { !$0.panels.isEmpty }
  }

  private var tornadoFigure: Figure? {
    let chart = TornadoChart(tornado: StudyTornado(self))
    guard let panel = chart.panel else { return nil }
    return Figure(
      id: "tornado", title: "Effect of each parameter on the blank share",
      reading:
        "Each gesture and network parameter has two bars: the change of the blank share if the parameter is 50 % "
        + "smaller, and if it is 50 % larger. A bar to the left means less blank area. The thin line is the 95 % interval "
        + "of the change. If the change may be chance, also considering the number of changes, the bar is pale, and its "
        + "number has a question mark.",
      panels: [panel],
      legend: [
        (swatch: "half", meaning: "parameter -50 %"), (swatch: "half-more", meaning: "parameter +50 %"),
        (swatch: "half faint", meaning: "pale: may be chance"),
      ], table: chart.table)
  }

  /// An explanation of the intervals after `±`; nil without intervals.
  var intervalNote: String? {
    cases.contains { cell($0, .blank).contains("±") }
      ? "±: half the width of the 95 % interval over \(replicas) replicas, in percentage points." : nil
  }

  /// True if other cases are compared with the first.
  var comparesCases: Bool { kind == .sweep && cases.count > 1 }

  /// An explanation of the marks, or the reason for their absence, in lines of at most 80 columns. A page joins the
  /// lines. Nil for a sweep of one case.
  var marks: String? {
    switch kind {
    case .sweep where !comparesCases: nil
    case .sweep:
      Bootstrap.caveat(for: replicas)
        ?? TableNotes.marks(reference: "the first case") + "\n" + TableNotes.confirmed
    case .sensitivity: tornadoMarks.joined(separator: " ")
    case .suite: "The cases of a suite are not compared with each other."
    }
  }
}

/// The style of the figures of studies.
enum StudyStyle {
  static let text =
    HeatShade.style + """
      .cards{grid-template-columns:repeat(auto-fill,minmax(230px,1fr))}.numbers td,.numbers thead th{width:10%}
      svg .cell{stroke:var(--bg);stroke-width:1}svg .unshaded{fill:var(--card)}.first-case{fill:none;stroke:var(--edge);stroke-width:2}
      .interval{fill:none;stroke:var(--ink);stroke-width:1.2}.dot{stroke:var(--ink);stroke-width:1}.zero{stroke:var(--edge);stroke-width:1.2;fill:none}
      svg .better,svg .half{fill:var(--shown)}svg .worse,svg .half-more{fill:var(--blank)}svg .unproven{fill:var(--bg)}svg .other{fill:var(--muted)}
      svg .faint{fill-opacity:.35}i.better,i.half{background:var(--shown)}i.worse,i.half-more{background:var(--blank)}
      i.unproven{border:1px solid var(--ink)}i.faint{opacity:.35}
      """
}
