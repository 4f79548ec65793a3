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
        replicas > 1
          ? "Beside the first case: * shown to be better, ! shown to be worse, by pairs of replicas."
          : "One replica: it does not show how much of a difference is chance.")
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
  private var tornado: [String] {
    let blank = MetricPath.metric(.blankRatio)
    func change(_ name: String, _ factor: String) -> MetricDifference? {
      cases.first { $0.values == [name, factor] }?.metrics[blank]?.difference
    }
    func size(_ name: String) -> Double {
      ["0.5", "1.5"].map { abs(change(name, $0)?.mean ?? 0) }.max() ?? 0
    }
    func text(_ difference: MetricDifference?) -> String {
      guard let mean = difference?.mean else { return Quantity.unknown }
      let isShown = difference?.claim(.lower) != nil
      return (mean < 0 ? "-" : "+") + Quantity.points(abs(mean)) + (isShown ? " " : "?")
    }
    let names = cases.dropFirst().map { $0.values[0] }
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .sorted { size($0) > size($1) }
    let largest = names.first.map(size) ?? 0
    let base = cases.first.map { cell($0, .blank) } ?? Quantity.unknown
    return [
      "blank share of picture area: \(base); its change when one number changes by half", "",
      Self.left("", 24) + Self.right("half", 12) + Self.right("half more", 12),
    ]
      + names.map { name in
        // 28: what is left of 80 columns.
        let bar = largest > 0 ? Int((size(name) / largest * 28).rounded()) : 0
        return Self.left(name, 24) + Self.right(text(change(name, "0.5")), 12)
          + Self.right(text(change(name, "1.5")), 12)
          + (bar > 0 ? "  " + String(repeating: "█", count: bar) : "")
      } + ["", "pp: percentage points. ?: the 95 % interval of the change covers 0."]
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
