/// A colour of a terminal.
struct Colour: Hashable, Sendable {
  /// 0xRRGGBB, or its number in the palette; negative for the terminal's own.
  let value: Int32
  let isDirect: Bool

  /// The terminal's own.
  static let own = Colour(value: -1, isDirect: false)

  /// A colour of the palette; its first eight are the ones that every terminal with colours has.
  static func palette(_ number: Int32) -> Colour { Colour(value: number, isDirect: false) }

  /// What selects it: the parameters of SGR, for letters or for what is behind them.
  func parameters(isBackground: Bool) -> String {
    let base = isBackground ? 40 : 30
    if value < 0 { return "\(base + 9)" }
    if isDirect { return "\(base + 8);2;\(value >> 16 & 0xFF);\(value >> 8 & 0xFF);\(value & 0xFF)" }
    if value < 8 { return "\(base + Int(value))" }
    // As aixterm has it, which all follow.
    if value < 16 { return "\(base + 52 + Int(value))" }
    return "\(base + 8);5;\(value)"
  }
}

/// How a character looks.
struct Style: Hashable, Sendable {
  var foreground = Colour.own
  var background = Colour.own
  var isBold = false
  var isDim = false
  var isReversed = false

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)
  static let bar = Style(isReversed: true)

  /// The same without colours.
  var colourless: Style { Style(isBold: isBold, isDim: isDim, isReversed: isReversed) }
}

/// What stands in one column of one line.
struct Cell: Hashable, Sendable {
  /// Nil behind a character that takes several columns.
  var glyph: Character? = " "
  var style = Style.plain
}

/// The characters of a screen.
struct Grid: Hashable, Sendable {
  let columns: Int
  let lines: Int
  private(set) var cells: [Cell]

  /// A screen with nothing on it.
  init(columns: Int, lines: Int) {
    self.columns = max(0, columns)
    self.lines = max(0, lines)
    cells = Array(repeating: Cell(), count: self.columns * self.lines)
  }

  subscript(line: Int, column: Int) -> Cell { cells[line * columns + column] }

  /// A line, as people see it, without what is blank at its end.
  func text(line: Int) -> String {
    let text = String(cells[line * columns..<(line + 1) * columns].compactMap(\.glyph))
    return String(text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex)])
  }

  /// Writes `text`, as far as it fits into `room` columns and onto the screen; returns the column behind it.
  @discardableResult
  mutating func write(
    _ text: String, line: Int, column: Int, room: Int = .max, style: Style = .plain
  ) -> Int {
    guard (0..<lines).contains(line), (0..<columns).contains(column) else { return column }
    var column = column
    for character in text.fitted(min(room, columns - column)) {
      let width = character.columns
      if width == 0 { continue }
      put(Cell(glyph: character, style: style), line: line, column: column)
      for behind in 1..<max(1, width) {
        put(Cell(glyph: nil, style: style), line: line, column: column + behind)
      }
      column += width
    }
    return column
  }

  /// Puts one cell somewhere; nothing beside the screen.
  mutating func put(_ cell: Cell, line: Int, column: Int) {
    guard (0..<lines).contains(line), (0..<columns).contains(column) else { return }
    cells[line * columns + column] = cell
  }

  /// Fills a whole line.
  mutating func fill(line: Int, style: Style) {
    for column in 0..<columns { put(Cell(style: style), line: line, column: column) }
  }
}
