extension ResultComparison {
  /// Returns the comparison as one self-contained HTML file with its figures, its style and the comparison as JSON.
  ///
  /// - Parameters:
  ///   - names: The names of the two results, such as their files.
  ///   - results: The compared results, for their figures and their commands.
  /// - Throws: The errors of `json()`.
  package func html(_ names: [String], of results: [SimulationResult]) throws -> String {
    let incomplete = zip(["first", "second"], incomplete).compactMap { name, incomplete in
      incomplete.map { "Incomplete: the \(name) result, \($0.sentence(of: "replicas"))." }
    }
    let body = ReportBody(
      title: "Comparison of two runs", lead: "First: \(names[0]). Second: \(names[1]). \(lead)",
      warning: incomplete.isEmpty ? nil : incomplete.joined(separator: " "), meta: pairing, cards: cards,
      figures: Self.figures(results), numbers: numbers, numberNotes: numberNotes, settings: [differences],
      assumptions: [],
      commands: zip(["first", "second"], results).compactMap { name, result in
        result.reproduce.map { ReportBody.Command(title: "Repeat the \(name) run", text: $0) }
      })
    return Page(
      title: "\(names[0]) and \(names[1]) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self)
    ).text
  }

  /// A sentence about the blank share of both results.
  private var lead: String {
    guard let row = rows[.metric(.blankRatio)], let first = row.first, let second = row.second else {
      return ""
    }
    let (one, other) = (Quantity.percent(first), Quantity.percent(second))
    let start =
      "On average, \(one) of the visible image area was blank with the first, and \(other) with the second"
    guard row.claim != nil else { return start + "; the difference may be chance." }
    return start + ", a confirmed difference."
  }

  /// The replicas, and the reason why they are not paired.
  private var pairing: String {
    let counts =
      replicas[0] == replicas[1]
      ? "\(replicas[0]) replicas each" : replicas.map(String.init).joined(separator: " and ") + " replicas"
    return counts + ", " + (unpaired.map { "not paired: \($0)" } ?? "paired: the same lists and gestures")
  }

  /// The numbers that matter most, each with its difference.
  private var cards: [Card] {
    let titles: KeyValuePairs<String, MetricPath> = [
      "Blank share": .metric(.blankRatio), "Image within 1 s": .metric(.seenWithin1s),
      "Complete after start or stop, p90": .quantile(.settleTime, .p90),
      "Bytes received": .metric(.bytesDown), "Received but never shown": .metric(.wastedBytes),
      "Answered by the memory cache": .metric(.memoryHits),
    ]
    return titles.compactMap { title, path in
      guard let shown = tableRow(of: path), let row = rows[path] else { return nil }
      let format = format(of: shown)
      let bars = zip(["first", "second"], [row.first, row.second]).compactMap { name, value in
        value.map {
          Card.Comparison(name: name, style: name == "second" ? "own" : "", value: $0, text: format($0))
        }
      }
      let isRate = isRate(shown)
      return Card(
        title: title, value: row.difference.mean.map { shown.signed($0, isRate: isRate) } ?? Quantity.unknown,
        interval: row.difference.interval.flatMap { interval in
          guard let low = interval.low, let high = interval.high else { return nil }
          return "95 % interval \(shown.signed(low, isRate: isRate)) to \(shown.signed(high, isRate: isRate))"
        }, meaning: Self.meaning(row), comparisons: bars,
        holds: row.claim == .better ? true : row.claim == .worse ? false : nil)
    }
  }

  private static func meaning(_ row: Row) -> String {
    switch row.claim {
    case .better: "The second run is better."
    case .worse: "The second run is worse."
    case .less, .more: "A confirmed difference; neither direction is better."
    case nil where row.difference.mean == nil: "The difference is unknown."
    case nil: "The difference may be chance."
    }
  }

  /// Both runs on one time axis, and the times to an image.
  private static func figures(_ results: [SimulationResult]) -> [Figure] {
    let recordings = results.compactMap(\.recording)
    var figures: [Figure] = []
    func title(_ index: Int) -> Markup {
      #"<text class="subtitle" x="16" y="16">\#(["First", "Second"][index]) run</text>"#
    }
    func joined(_ both: [Figure]) -> Figure? {
      guard let first = both.first else { return nil }
      let panels = both.enumerated().flatMap { index, figure in
        figure.panels.map { panel in
          Figure.Panel(
            drawing: title(index) + #"<g transform="translate(0 26)">\#(panel.drawing)</g>"#,
            height: panel.height + 26, description: "\(["First", "Second"][index]) run. \(panel.description)")
        }
      }
      return Figure(
        id: first.id, title: first.title, reading: first.reading, panels: panels, legend: first.legend,
        remarks: ["The first replica of each run."])
    }
    if recordings.count == 2 {
      let seconds = recordings.map(\.duration.seconds).max() ?? 0
      figures += [
        joined(recordings.map { Filmstrip(recording: $0).figure }),
        joined(recordings.map { ScrollFigure(recording: $0, seconds: seconds).figure }),
      ].compactMap(\.self)
    }
    return figures
  }

  /// The metrics of both results, by section.
  private var numbers: [Table] {
    TableRow.sections.compactMap { section in
      let rows = section.rows.compactMap { row -> [String]? in
        guard let line = line(of: row) else { return nil }
        return [
          row.label, row.text(line.first, isNever: line.isFirstNever, format(of: row)),
          second(row, line),
          line.difference.mean.map { row.signed($0, isRate: isRate(row)) } ?? Quantity.unknown,
          remark(of: line),
        ]
      }
      return rows.isEmpty
        ? nil
        : Table(caption: section.title, head: ["", "first", "second", "difference", ""], rows: rows)
    }
  }

  private var numberNotes: [String] { notes.map { $0.replacing("\n", with: " ") } }

  /// The settings that differ.
  private var differences: Table {
    Table(
      caption: settings.isEmpty ? "identical settings" : "settings that differ",
      head: settings.isEmpty ? [] : ["", "first", "second"],
      rows: settings.map { setting in
        let parts = setting.path.split(separator: ".", maxSplits: 1).map(String.init)
        let label =
          parts.count == 2 ? SettingLabels.label(parts[1], in: parts[0]) : SettingLabels.label(setting.path)
        return [label, setting.texts.first, setting.texts.second]
      })
  }

  private func tableRow(of path: MetricPath) -> TableRow? {
    TableRow.sections.lazy.flatMap(\.rows).first {
      if case .path(let own) = $0.number { own == path } else { false }
    }
  }
}
