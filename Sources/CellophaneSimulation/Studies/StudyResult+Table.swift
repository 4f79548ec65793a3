extension StudyResult {
  /// The result as a table for people, with a final line break; what a sweep over two parameters did as a heat map.
  ///
  /// - Parameter usesColour: Shades it by a terminal's colours, in place of blocks.
  public func table(usesColour: Bool = false) -> String {
    var lines = incomplete.map { ["INCOMPLETE: " + $0.sentence(of: "cases"), ""] } ?? []
    switch kind {
    case .sensitivity: lines += tornado
    case .sweep where parameters.count == 2: lines += grid(usesColour: usesColour)
    case .sweep, .suite: lines += list
    }
    lines.append("")
    if kind == .sweep {
      lines.append(
        Bootstrap.reservation(for: replicas)
          ?? "Beside the first case: * shown to be better, ! shown to be worse, by pairs of replicas.")
    }
    lines.append(contentsOf: broken.map { "INVARIANT BROKEN: " + $0 })
    return lines.joined(separator: "\n") + "\n"
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// One line a case, with the numbers that matter most.
  private var list: [String] {
    let width = max(16, (cases.map { Self.name(of: $0).count }.max() ?? 0) + 1)
    func column(_ number: StudyNumber) -> Int { number.path == StudyNumber.blank.path ? 14 : 11 }
    let head = StudyNumber.all.reduce(Self.left(parameters.joined(separator: "/"), width)) {
      $0 + Self.right($1.title, column($1))
    }
    return [head]
      + cases.map { one in
        StudyNumber.all.reduce(Self.left(Self.name(of: one), width)) { line, number in
          line + Self.right(cell(one, number), column(number))
        }
      }
  }

  /// The first parameter downwards, the second to the right: the blank share, shaded.
  private func grid(usesColour: Bool) -> [String] {
    let (grid, number) = (StudyGrid(self), StudyNumber.blank)
    let shaded = ShadedText(scale: heatScale(of: number), usesColour: usesColour)
    let width = max(12, ([parameters[0]] + grid.rows).map { $0.count + 2 }.max() ?? 0)
    let texts = cases.map { cell($0, number) } + grid.columns
    let cellWidth = max(15, (texts.map(\.count).max() ?? 0) + 2)
    let margin = String(repeating: " ", count: shaded.margin)
    let head = grid.columns.reduce(Self.left(parameters[0], width)) {
      $0 + Self.right($1, cellWidth) + margin
    }
    let lines = grid.rows.map { row in
      grid.columns.reduce(Self.left(row, width)) { line, column in
        let one = grid[row, column]
        let text = one.map { cell($0, number) } ?? Quantity.unknown
        return line + shaded.cell(Self.right(text, cellWidth), one?.metrics[number.path]?.mean)
      }
    }
    return ["\(number.meaning); to the right: \(parameters[1])", ""]
      + ([head] + lines).map(\.withoutTrailingSpaces)
      + (shaded.legend(number).map { ["", $0] } ?? [])
  }

  /// The change of the blank share, the largest first.
  /// What stands behind the numbers of a sensitivity study, in sentences.
  var tornadoMarks: [String] {
    [
      "pp: percentage points.",
      Bootstrap.reservation(for: replicas) ?? "?: the 95 % interval of the change covers 0.",
    ]
  }

  private var tornado: [String] {
    let tornado = StudyTornado(self)
    let base = cases.first.map { cell($0, .blank) } ?? Quantity.unknown
    // Digits stand below digits, with a question mark and without.
    func text(_ change: MetricDifference?) -> String {
      StudyTornado.text(change) + (StudyTornado.isShown(change) ? " " : "")
    }
    return [
      "blank share of picture area: \(base); its change when one number changes by half", "",
      Self.left("", 24) + Self.right("half", 12) + Self.right("half more", 12),
    ]
      + tornado.rows.map { row in
        // 28: what is left of 80 columns.
        let bar = tornado.largest > 0 ? Int((row.size / tornado.largest * 28).rounded()) : 0
        return Self.left(row.name, 24) + Self.right(text(row.half), 12)
          + Self.right(text(row.halfMore), 12)
          + (bar > 0 ? "  " + String(repeating: "█", count: bar) : "")
      } + [""] + tornadoMarks
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
