extension StudyResult {
  /// The drawings of a report.
  var figures: [Figure] {
    switch kind {
    case .sensitivity: [tornadoFigure].compactMap(\.self)
    case .sweep where parameters.count == 2: heatMaps
    case .sweep, .suite: charts
    }
  }

  private var heatMaps: [Figure] {
    let blank = HeatMap(result: self, number: .blank)
    let others = StudyNumber.all.dropFirst().map { HeatMap(result: self, number: $0) }
    return [
      Figure(
        id: "blank", title: "How much was blank",
        reading:
          "Each cell is one case, with the values at its left and above it. The darker and the more orange a "
          + "cell is (on a dark page, the brighter), the worse; the shades go from the best to the worst of these cases, "
          + "however near to each other. The first case has a frame. " + marks,
        panels: [blank.panel], table: blank.table),
      Figure(
        id: "others", title: "What else differed",
        reading:
          "The same cases by other numbers, each shaded from its best to its worst: of hits more is better, of the others "
          + "less.",
        panels: others.map(\.panel)),
    ]
  }

  private var charts: [Figure] {
    let blank = IntervalChart(result: self, number: .blank).panels
    let others = StudyNumber.all.dropFirst().flatMap { IntervalChart(result: self, number: $0).panels }
    let line =
      kind == .sweep
      ? " The dashed line is where the first case is, with which the others are compared. " + marks : ""
    let legend =
      kind == .sweep
      ? [
        (swatch: "better", meaning: "shown to be better than the first case"),
        (swatch: "worse", meaning: "shown to be worse"),
        (swatch: "unproven", meaning: "no difference is shown"),
      ] : []
    let reading =
      "Each line is one case; the dot is its number, and the line through it the 95 % interval"
      + (replicas >= Bootstrap.fewest ? "." : ", of which fewer than \(Bootstrap.fewest) replicas have none.")
      + line
    return [
      Figure(
        id: "blank", title: "How much was blank", reading: reading + " Left is better.", panels: blank,
        legend: legend),
      Figure(
        id: "others", title: "What else differed",
        reading: "The same cases by other numbers: of hits more is better, of the others less.",
        panels: others,
        legend: legend),
    ].filter { !$0.panels.isEmpty }
  }

  private var tornadoFigure: Figure? {
    let chart = TornadoChart(tornado: StudyTornado(self))
    guard let panel = chart.panel else { return nil }
    return Figure(
      id: "tornado", title: "What moves the blank share",
      reading:
        "For each number behind the gestures and the line, two bars: what half of it does to the blank share, and one "
        + "and a half of it. Left of the middle less is blank. The thin line is the 95 % interval of the change; where it "
        + "covers the middle, the change may be chance, the bar is pale, and its number has a question mark.",
      panels: [panel],
      legend: [
        (swatch: "half", meaning: "half of the number"), (swatch: "half-more", meaning: "half more"),
        (swatch: "half faint", meaning: "pale: no change is shown"),
      ], table: chart.table)
  }

  /// What the marks mean, or why there are none.
  var marks: String {
    switch kind {
    case .sweep:
      Bootstrap.reservation(for: replicas)
        ?? "Beside the first case, pairs of replicas show: * better, ! worse. Where there is no mark, no difference is "
        + "shown, however large it looks."
    case .sensitivity: tornadoMarks.joined(separator: " ")
    case .suite: "The cases of a suite are not compared with each other."
    }
  }
}

/// What figures of studies look like.
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
