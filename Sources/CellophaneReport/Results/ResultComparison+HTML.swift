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
    let pair = pair(of: results)
    let body = ReportBody(
      title: "Comparison of two runs", verdict: finding()?.sentence, notes: finding()?.notes ?? [],
      lead: "First: \(names[0]). Second: \(names[1]).",
      warning: incomplete.isEmpty ? nil : incomplete.joined(separator: " "), meta: pairing,
      film: pair.map { Filmstrip($0).markup }, cards: cards, figures: Self.figures(results, pair),
      numbers: numbers, numberNotes: numberNotes, settings: [differences],
      assumptions: [],
      commands: zip(["first", "second"], results).compactMap { name, result in
        result.reproduce.map { ReportBody.Command(title: "Repeat the \(name) run", text: $0) }
      })
    return Page(
      title: "\(names[0]) and \(names[1]) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self),
      recordings: try pair.map { String(decoding: try JSONText.line($0.byKey), as: UTF8.self) }
    ).text
  }

  /// The replicas, and the reason why they are not paired.
  private var pairing: String {
    let counts =
      replicas[0] == replicas[1]
      ? "\(replicas[0]) replicas each" : replicas.map(String.init).joined(separator: " and ") + " replicas"
    return counts + ", " + (unpaired.map { "not paired: \($0)" } ?? "paired: the same lists and gestures")
  }

  /// The rows of ``TableRow/main`` of the second result, each with its difference from the first.
  private var cards: [Card] {
    TableRow.main.compactMap { shown in
      guard let row = line(of: shown) else { return nil }
      let (format, isRate) = (format(of: shown), isRate(shown))
      func signed(_ value: Double) -> String { shown.signed(value, isRate: isRate) }
      let interval = row.difference.interval.flatMap { interval -> String? in
        guard let low = interval.low, let high = interval.high else { return nil }
        return "95 % interval of the difference " + TableRow.range(signed(low), signed(high))
      }
      let words = row.difference.mean.map { row.claim == nil ? "no confirmed difference" : signed($0) }
      return Card(
        title: shown.label, value: shown.text(row.second, isNever: row.isSecondNever, format),
        interval: interval,
        versus: titles[0] + ": " + shown.text(row.first, isNever: row.isFirstNever, format)
          + (words.map { "; " + $0 } ?? ""),
        holds: row.claim == .better ? true : row.claim == .worse ? false : nil)
    }
  }

  /// The recordings of both results; nil unless both have one.
  private func pair(of results: [SimulationResult]) -> RunPair? {
    let runs = zip(["first", "second"], zip(titles, results)).compactMap { key, run in
      run.1.recording.map { RunPair.Run(title: run.0, key: key, recording: $0) }
    }
    return runs.count == 2 ? RunPair(runs: runs) : nil
  }

  /// Both runs on one time axis, and their times to an image.
  private static func figures(_ results: [SimulationResult], _ pair: RunPair?) -> [Figure] {
    var figures: [Figure] = []
    if let pair {
      let excerpts = Excerpt.all(of: pair)
      figures = [
        SpaceTimeFigure(pair: pair, excerpts: excerpts).figure, ScrollFigure(pair: pair).figure,
        WaterfallFigure(pair: pair, excerpts: excerpts).figure,
      ].compactMap(\.self)
    }
    return figures.map { figure in
      var figure = figure
      figure.remarks.insert("The first replica of each run.", at: 0)
      return figure
    }
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
}
