/// A heat map of a sweep of two parameters: one cell per case, shaded by a metric.
struct HeatMap: Sendable {
  let result: StudyResult
  let number: StudyNumber

  private var grid: StudyGrid { StudyGrid(result) }

  /// The maximum width and the height of a cell, in px.
  private static let maxWidth = 168.0
  private static let height = 34.0
  /// The estimated width of a character in a cell, and in the labels of rows and columns, in px. On a phone, labels are
  /// larger.
  private static let advance = (cell: 7.4, side: 8.6)
  /// The maximum length of a label of a row or a column, in characters.
  private static let maxCharacters = 26

  var panel: Figure.Panel {
    let grid = grid
    let rows = grid.rows.map { $0.clipped(to: Self.maxCharacters) }
    let columns = grid.columns.map { $0.clipped(to: Self.maxCharacters) }
    func side(_ names: [String]) -> Double { Double(names.map(\.count).max() ?? 0) * Self.advance.side }
    var left = max(48, side(rows) + 14)
    func width() -> Double { min(Self.maxWidth, (Figure.width - left - 4) / Double(max(1, columns.count))) }
    // Column labels that do not fit next to each other are rotated. They then extend to the left.
    let isSloping = side(columns) + 10 > width()
    if isSloping { left = max(left, side(columns) * 0.75 - width() / 2 + 14) }
    let head = isSloping ? side(columns) * 0.66 + 16 : 20
    let top = 44 + head
    let box = Box(
      left: left, top: top, width: width() * Double(columns.count), height: Self.height * Double(rows.count))
    var drawing = titles
    for (index, name) in columns.enumerated() {
      let x = box.left + (Double(index) + 0.5) * width()
      drawing +=
        isSloping
        ? #"<text class="tick end" transform="translate(\#(x + 3) \#(box.top - 8)) rotate(40)">\#(name)</text>"#
        : #"<text class="tick middle" x="\#(x)" y="\#(box.top - 8)">\#(name)</text>"#
    }
    for (index, name) in rows.enumerated() {
      let y = box.top + (Double(index) + 0.5) * Self.height + 4
      drawing += #"<text class="tick end" x="\#(box.left - 8)" y="\#(y)">\#(name)</text>"#
    }
    drawing += cells(grid, in: box, width: width())
    drawing += legend(below: box)
    return Figure.Panel(drawing: drawing, height: box.bottom + 62, description: description)
  }

  /// The title, and the parameters of the rows and columns.
  private var titles: Markup {
    let words = result.parameters.map(SettingLabels.option)
    return #"<text class="subtitle" x="0" y="14">\#(number.meaning)</text>"#
      + #"<text class="axis" x="0" y="34">rows: \#(words[0]); columns: \#(words[1])</text>"#
  }

  private func cells(_ grid: StudyGrid, in box: Box, width: Double) -> Markup {
    let scale = scale
    let style = Self.style(of: result.cases.map { result.cell($0, number) }, width: width)
    var drawing: Markup = ""
    for (rowIndex, row) in grid.rows.enumerated() {
      for (columnIndex, column) in grid.columns.enumerated() {
        let one = grid[row, column]
        let (x, y) = (box.left + Double(columnIndex) * width, box.top + Double(rowIndex) * Self.height)
        let value = one?.metrics[number.path]?.mean
        let shade = value.flatMap { scale?.style(of: $0) }
        let text = one.map { result.cell($0, number) } ?? Quantity.unknown
        let words = "\(result.parameters[0]) \(row), \(result.parameters[1]) \(column): \(text)"
        drawing += #"<g><title>\#(words)</title>"#
        drawing +=
          #"<rect class="cell \#(shade ?? "unshaded")" x="\#(x)" y="\#(y)" width="\#(width)" height="\#(Self.height)"/>"#
        if let style {
          let shown = style.written(text)
          let isMarked = one.flatMap { result.claim(of: $0, number) } != nil
          let strength = isMarked ? " strong" : ""
          drawing +=
            #"<text class="\#(style.name) middle \#(shade.map { "on-" + $0 } ?? "")\#(strength)" "#
            + #"x="\#(x + width / 2)" y="\#(y + Self.height / 2 + 4.5)">\#(shown)</text>"#
        }
        drawing += "</g>"
      }
    }
    if let first = result.cases.first, let rowIndex = grid.rows.firstIndex(of: first.values[0]),
      let columnIndex = grid.columns.firstIndex(of: first.values[1])
    {
      let (x, y) = (box.left + Double(columnIndex) * width, box.top + Double(rowIndex) * Self.height)
      let rim = first.metrics[number.path]?.mean.flatMap { scale?.style(of: $0) }.map { " rim-" + $0 } ?? ""
      drawing +=
        #"<rect class="first-case\#(rim)" x="\#(x + 1.5)" y="\#(y + 1.5)" width="\#(width - 3)" height="\#(Self.height - 3)"/>"#
    }
    return drawing
  }

  private var scale: HeatScale? { result.heatScale(of: number) }

  /// Returns the text style for cells of `width` px: with the interval if it fits, else without it, else
  /// small and without `%`, which the legend shows. Returns nil if not even the numbers fit.
  private static func style(of texts: [String], width: Double) -> (name: String, written: (String) -> String)?
  {
    func longest(_ texts: [String]) -> Double { Double(texts.map(\.count).max() ?? 0) * advance.cell }
    if longest(texts) + 8 <= width { return ("label", { $0 }) }
    if longest(texts.map(\.withoutInterval)) + 6 <= width { return ("label", { $0.withoutInterval }) }
    func bare(_ text: String) -> String { text.withoutInterval.replacing(" %", with: "") }
    // 0.86: small text takes less width than a label.
    return longest(texts.map(bare)) * 0.86 + 2 <= width ? ("tick", bare) : nil
  }

  private func legend(below box: Box) -> Markup {
    guard let scale else {
      return #"<text class="axis" x="0" y="\#(box.bottom + 30)">\#(unshaded)</text>"#
    }
    let first = "\(scale.bestWord(number)): \(number.format(scale.best))"
    let (x, y) = (Double(first.count) * Self.advance.side + 10, box.bottom + 22)
    let swatches = (0..<HeatShade.count).map { shade -> Markup in
      #"<rect class="cell heat-\#(shade)" x="\#(x + Double(shade) * 30)" y="\#(y)" width="30" height="14"/>"#
    }.joined()
    let end = x + 30 * Double(HeatShade.count) + 10
    return #"<text class="axis" x="0" y="\#(y + 11)">\#(first)</text>"# + swatches
      + #"<text class="axis" x="\#(end)" y="\#(y + 11)">\#(number.format(scale.end))</text>"#
  }

  /// The reason for which no cell is shaded.
  private var unshaded: String {
    result.cases.contains { $0.metrics[number.path]?.mean != nil }
      ? "all cases show the same value" : "no case has a value"
  }

  private var description: String {
    guard let scale else { return "\(number.meaning): \(unshaded)." }
    return "\(number.meaning), by \(result.parameters.joined(separator: " and ")): from "
      + "\(number.format(scale.best)) to \(number.format(scale.worst))."
  }

  /// The values of the cells as a table.
  var table: Table {
    let grid = grid
    return Table(
      caption:
        "\(number.meaning); rows: \(result.parameters[0]), columns: \(result.parameters[1])",
      head: [result.parameters[0]] + grid.columns,
      rows: grid.rows.map { row in
        [row]
          + grid.columns.map { column in
            grid[row, column].map { result.cell($0, number) } ?? Quantity.unknown
          }
      })
  }
}

extension String {
  /// Returns the text, shortened to `count` characters with an ellipsis if it is longer.
  func clipped(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }

  /// The text of a number without its interval.
  fileprivate var withoutInterval: String {
    firstRange(of: " ±").map { String(self[..<$0.lowerBound]) } ?? self
  }
}

extension HeatScale {
  /// Returns the word for the best number: lowest, if `number` has no better direction.
  func bestWord(_ number: StudyNumber) -> String { number.path.better == nil ? "lowest" : "best" }

  /// Returns the CSS class of a cell with `value`.
  fileprivate func style(of value: Double) -> String { "heat-\(shade(of: value, among: HeatShade.count))" }
}
