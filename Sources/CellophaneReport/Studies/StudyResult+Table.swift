extension StudyResult {
  /// Returns the result as a text table with a final line break. A sweep of two parameters is a heat map.
  ///
  /// - Parameter usesColor: Whether a heat map is shaded with terminal colors instead of block characters, and marked
  ///   numbers are green and red.
  package func table(usesColor: Bool = false) -> String {
    var lines = incomplete.map { ["INCOMPLETE: " + $0.sentence(of: "cases"), ""] } ?? []
    if let config {
      lines += config.heading(isVirtual: cases.first?.fingerprint != nil, loaders: "cellophane")
      lines.append(
        "prefetch \(config.loader.prefetch.name), memory cache \(Quantity.capacity(config.cache.memoryBytes))"
      )
      lines += [settingsNote].compactMap(\.self) + [""]
    }
    if let finding { lines += TextTable.wrapped(finding.sentence) + [""] }
    let rows =
      switch kind {
      case .sensitivity: tornado
      case .sweep where parameters.count == 2: grid(usesColor: usesColor)
      case .sweep, .suite: list(usesColor: usesColor)
      }
    lines += rows
    // The changes of a sensitivity study are explained below them.
    if kind != .sensitivity {
      let missing = rows.contains { $0.contains(Quantity.unknown) } ? TableNotes.missingInStudy : nil
      let notes = [marks, missing].compactMap(\.self)
      lines += (notes.isEmpty && intervalNote == nil ? [] : [""]) + notes
    }
    lines += [intervalNote].compactMap(\.self)
    if let advice = finding?.advice { lines += TextTable.wrapped("Next: " + advice) }
    lines.append(contentsOf: assertions.map(\.line) + broken.map { "INVARIANT BROKEN: " + $0 })
    return lines.joined(separator: "\n") + "\n"
  }

  /// A table with one row per case and a column for each important metric.
  private func list(usesColor: Bool) -> [String] {
    let width = max(16, (cases.map { Self.name(of: $0).count }.max() ?? 0) + 1)
    func column(_ number: StudyNumber) -> Int { number.path == StudyNumber.blank.path ? 14 : 11 }
    let head = numbers.reduce(TextTable.left(parameters.joined(separator: "/"), width)) {
      $0 + TextTable.right($1.title, column($1))
    }
    return [head]
      + cases.map { one in
        numbers.reduce(TextTable.left(Self.name(of: one), width)) { row, number in
          let text = TextTable.right(cell(one, number), column(number))
          return row + (usesColor ? claim(of: one, number)?.colored(text) ?? text : text)
        }
      } + [""] + numbers.map { "\($0.title): \($0.meaning)." }
  }

  /// Returns a heat map of the blank share: a row for each value of the first parameter, a column for each of
  /// the second.
  private func grid(usesColor: Bool) -> [String] {
    let (grid, number) = (StudyGrid(self), StudyNumber.blank)
    let shaded = ShadedText(scale: heatScale(of: number), usesColor: usesColor)
    let width = max(12, ([parameters[0]] + grid.rows).map { $0.count + 2 }.max() ?? 0)
    let texts = cases.map { cell($0, number) } + grid.columns
    let cellWidth = max(15, (texts.map(\.count).max() ?? 0) + 2)
    let margin = String(repeating: " ", count: shaded.margin)
    let head = grid.columns.reduce(TextTable.left(parameters[0], width)) {
      $0 + TextTable.right($1, cellWidth) + margin
    }
    let lines = grid.rows.map { row in
      grid.columns.reduce(TextTable.left(row, width)) { cells, column in
        let one = grid[row, column]
        let text = one.map { cell($0, number) } ?? Quantity.unknown
        return cells + shaded.cell(TextTable.right(text, cellWidth), one?.metrics[number.path]?.mean)
      }
    }
    return ["\(number.meaning); columns: \(parameters[1])", ""]
      + ([head] + lines).map(\.withoutTrailingSpaces)
      + (shaded.legend(number).map { ["", $0] } ?? [])
  }

  /// Explanations of the unit and the mark of the changes in a sensitivity study.
  var tornadoMarks: [String] {
    let chance = "?: the change may be chance"
    return ["pp: percentage points. A parameter that is a share grows to at most 1."]
      + (Bootstrap.caveat(for: replicas).map { [chance + ".", $0] }
        ?? [chance + " (corrected for the number of changes), or is below 0.05 points."])
  }

  /// The change of the blank share for each parameter, the largest change first.
  private var tornado: [String] {
    let tornado = StudyTornado(self)
    let base = cases.first.map { cell($0, .blank) } ?? Quantity.unknown
    // A space instead of the question mark keeps the digits aligned.
    func text(_ change: MetricDifference?) -> String {
      tornado.text(change) + (tornado.isShown(change) ? " " : "")
    }
    return [
      "blank share of the image area: \(base), and its change by parameter", "",
      TextTable.left("", 24) + TextTable.right("-50 %", 12) + TextTable.right("+50 %", 12),
    ]
      + tornado.rows.map { row in
        // 28: the rest of 80 columns after the names, the numbers and a gap.
        let bar = tornado.largest > 0 ? Int((row.size / tornado.largest * 28).rounded()) : 0
        return TextTable.left(row.name, 24) + TextTable.right(text(row.half), 12)
          + TextTable.right(text(row.oneAndAHalf), 12)
          + (bar > 0 ? "  " + String(repeating: "█", count: bar) : "")
      } + ["", "The parameters are fields of a scenario, as in \"config\" of --json."]
      + (tornado.largest > 0 ? ["Bar: the larger of the two changes."] : []) + tornadoMarks
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
