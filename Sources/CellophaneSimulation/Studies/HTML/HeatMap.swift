/// A sweep over two parameters as a picture: one cell a case, shaded by one of its numbers.
struct HeatMap: Sendable {
  let result: StudyResult
  let number: StudyNumber

  private var grid: StudyGrid { StudyGrid(result) }

  /// The widest and the lowest that a cell is.
  private static let widest = 168.0
  private static let height = 34.0
  /// What a character takes: of words in a cell, and of values along the sides.
  private static let advance = (cell: 7.4, side: 6.6)
  /// The most characters of a value along a side.
  private static let mostCharacters = 26

  var panel: Figure.Panel {
    let grid = grid
    let rows = grid.rows.map { $0.clipped(to: Self.mostCharacters) }
    let columns = grid.columns.map { $0.clipped(to: Self.mostCharacters) }
    func side(_ names: [String]) -> Double { Double(names.map(\.count).max() ?? 0) * Self.advance.side }
    var left = max(48, side(rows) + 14)
    func width() -> Double { min(Self.widest, (Figure.width - left - 4) / Double(max(1, columns.count))) }
    // Names that do not fit beside one another are written on a slope, which begins further left.
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

  /// What is along the sides.
  private var titles: Markup {
    let words = result.parameters.map(SettingWords.option)
    return #"<text class="subtitle" x="0" y="14">\#(number.meaning)</text>"#
      + #"<text class="axis" x="0" y="34">downwards: \#(words[0]); to the right: \#(words[1])</text>"#
  }

  private func cells(_ grid: StudyGrid, in box: Box, width: Double) -> Markup {
    let scale = scale
    let style = Self.style(of: result.cases.map { result.cell($0, number) }, width: width)
    var drawing: Markup = ""
    for (line, row) in grid.rows.enumerated() {
      for (place, column) in grid.columns.enumerated() {
        let one = grid[row, column]
        let (x, y) = (box.left + Double(place) * width, box.top + Double(line) * Self.height)
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
    if let first = result.cases.first, let line = grid.rows.firstIndex(of: first.values[0]),
      let place = grid.columns.firstIndex(of: first.values[1])
    {
      let (x, y) = (box.left + Double(place) * width, box.top + Double(line) * Self.height)
      let rim = first.metrics[number.path]?.mean.flatMap { scale?.style(of: $0) }.map { " rim-" + $0 } ?? ""
      drawing +=
        #"<rect class="first-case\#(rim)" x="\#(x + 1.5)" y="\#(y + 1.5)" width="\#(width - 3)" height="\#(Self.height - 3)"/>"#
    }
    return drawing
  }

  private var scale: HeatScale? { result.heatScale(of: number) }

  /// How `texts` are written in cells of this width: with their intervals where there is room, small and without `%`
  /// where there is little, which the legend has; nil where there is none for the numbers alone.
  private static func style(of texts: [String], width: Double) -> (name: String, written: (String) -> String)?
  {
    func longest(_ texts: [String]) -> Double { Double(texts.map(\.count).max() ?? 0) * advance.cell }
    if longest(texts) + 8 <= width { return ("label", { $0 }) }
    if longest(texts.map(\.withoutInterval)) + 6 <= width { return ("label", { $0.withoutInterval }) }
    func bare(_ text: String) -> String { text.withoutInterval.replacing(" %", with: "") }
    // Small letters take less.
    return longest(texts.map(bare)) * 0.86 + 2 <= width ? ("tick", bare) : nil
  }

  private func legend(below box: Box) -> Markup {
    guard let scale else {
      return #"<text class="axis" x="0" y="\#(box.bottom + 30)">no two of them read as different</text>"#
    }
    let ends = number.path.better == nil ? ("least", "most") : ("best", "worst")
    let first = "\(ends.0): \(number.format(scale.best))"
    let (x, y) = (Double(first.count) * Self.advance.side + 10, box.bottom + 22)
    let swatches = (0..<HeatShade.count).map { shade -> Markup in
      #"<rect class="cell heat-\#(shade)" x="\#(x + Double(shade) * 30)" y="\#(y)" width="30" height="14"/>"#
    }.joined()
    let end = x + 30 * Double(HeatShade.count) + 10
    return #"<text class="axis" x="0" y="\#(y + 11)">\#(first)</text>"# + swatches
      + #"<text class="axis" x="\#(end)" y="\#(y + 11)">\#(ends.1): \#(number.format(scale.worst))</text>"#
  }

  private var description: String {
    guard let scale else { return "\(number.meaning): no two cases read as different." }
    return "\(number.meaning), for every \(result.parameters.joined(separator: " and ")): from "
      + "\(number.format(scale.best)) to \(number.format(scale.worst))."
  }

  /// The same in numbers.
  var table: Table {
    let grid = grid
    return Table(
      caption:
        "\(number.meaning), by \(result.parameters[0]) downwards and \(result.parameters[1]) to the right",
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
  /// The first characters of a long text.
  func clipped(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }

  /// A number without its `±`.
  fileprivate var withoutInterval: String {
    firstRange(of: " ±").map { String(self[..<$0.lowerBound]) } ?? self
  }
}

extension HeatScale {
  /// The class of a cell with `value`.
  fileprivate func style(of value: Double) -> String { "heat-\(shade(of: value, among: HeatShade.count))" }
}
