/// A color of a terminal.
struct TerminalColor: Hashable, Sendable {
  /// 0xRRGGBB, or an index of the palette; negative for the terminal's default color.
  let value: Int32
  let isDirect: Bool

  /// The default color of the terminal.
  static let standard = TerminalColor(value: -1, isDirect: false)

  /// Returns a color of the palette. Every terminal with colors has the first eight.
  static func palette(_ number: Int32) -> TerminalColor { TerminalColor(value: number, isDirect: false) }

  /// Returns the SGR parameters that select the color for characters or their background.
  func parameters(isBackground: Bool) -> String {
    let base = isBackground ? 40 : 30
    if value < 0 { return "\(base + 9)" }
    if isDirect { return "\(base + 8);2;\(value >> 16 & 0xFF);\(value >> 8 & 0xFF);\(value & 0xFF)" }
    if value < 8 { return "\(base + Int(value))" }
    // The bright colors of aixterm, which all terminals support.
    if value < 16 { return "\(base + 52 + Int(value))" }
    return "\(base + 8);5;\(value)"
  }
}

/// The style of a character.
struct Style: Hashable, Sendable {
  var foreground = TerminalColor.standard
  var background = TerminalColor.standard
  var isBold = false
  var isDim = false
  var isReversed = false

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)
  static let bar = Style(isReversed: true)

  /// The style without colors.
  var colorless: Style { Style(isBold: isBold, isDim: isDim, isReversed: isReversed) }
}

/// The content of one column of a line.
struct Cell: Hashable, Sendable {
  /// Nil for the further columns of a wide character.
  var glyph: Character? = " "
  var style = Style.plain
}

/// The characters of a screen.
struct Grid: Hashable, Sendable {
  let columns: Int
  let lines: Int
  private(set) var cells: [Cell]

  /// Creates an empty screen.
  init(columns: Int, lines: Int) {
    self.columns = max(0, columns)
    self.lines = max(0, lines)
    cells = Array(repeating: Cell(), count: self.columns * self.lines)
  }

  subscript(line: Int, column: Int) -> Cell { cells[line * columns + column] }

  /// Returns the text of a line, without spaces at its end.
  func text(line: Int) -> String {
    let text = String(cells[line * columns..<(line + 1) * columns].compactMap(\.glyph))
    return String(text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex)])
  }

  /// Writes `text` as far as it fits into `room` columns and onto the screen; returns the column after it.
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
      for extra in 1..<max(1, width) {
        put(Cell(glyph: nil, style: style), line: line, column: column + extra)
      }
      column += width
    }
    return column
  }

  /// Sets one cell. Positions outside of the screen are ignored.
  mutating func put(_ cell: Cell, line: Int, column: Int) {
    guard (0..<lines).contains(line), (0..<columns).contains(column) else { return }
    cells[line * columns + column] = cell
  }

  /// Clears a line with a style.
  mutating func fill(line: Int, style: Style) {
    for column in 0..<columns { put(Cell(style: style), line: line, column: column) }
  }
}
