/// The content of the screen: characters, images in front of them, and the cursor.
struct Frame: Sendable {
  var grid: Grid
  var pictures: [PixelImage] = []
  /// Nil for a hidden cursor.
  var cursor: (line: Int, column: Int)?
}

/// Converts frames to terminal output: the changes since the previous frame, in one write.
struct Painter {
  private let usesColor: Bool
  private var last: Frame?

  /// - Parameter usesColor: False to use only bold, dim and reversed characters.
  init(usesColor: Bool) { self.usesColor = usesColor }

  /// Discards the known content of the terminal, so that the next frame is drawn completely.
  mutating func invalidate() { last = nil }

  /// Returns the output that shows `frame`; empty if the terminal already shows it.
  mutating func paint(_ frame: Frame) -> String {
    var last = last.flatMap { last in
      last.grid.columns == frame.grid.columns && last.grid.lines == frame.grid.lines ? last : nil
    }
    var text = ""
    if last == nil {
      text += Escape.plain + Escape.clear + PixelImage.removeAll(frame.pictures)
      last = Frame(grid: Grid(columns: frame.grid.columns, lines: frame.grid.lines))
    }
    let before = last?.pictures ?? []
    let gone = before.filter { picture in !frame.pictures.contains { $0.isSame(as: picture) } }
    for picture in gone { text += picture.removal(for: frame.pictures) }
    var writer = CellWriter(usesColor: usesColor)
    for line in 0..<frame.grid.lines {
      for column in 0..<frame.grid.columns {
        let cell = frame.grid[line, column]
        // Characters have to be written over removed pixels.
        let isUncovered = gone.contains { $0.needsErasing && $0.covers(line, column) }
        if cell == last?.grid[line, column], !isUncovered { continue }
        writer.write(cell, line: line, column: column)
      }
    }
    text += writer.text
    if !writer.text.isEmpty { text += Escape.plain }
    for picture in frame.pictures where !before.contains(where: { $0.isSame(as: picture) }) {
      text += Escape.moveCursor(picture.line, picture.column) + picture.text
    }
    if let cursor = frame.cursor {
      if !text.isEmpty || self.last?.cursor.map({ $0 == cursor }) != true {
        text += Escape.moveCursor(cursor.line, cursor.column) + Escape.showCursor
      }
    } else if self.last?.cursor != nil || self.last == nil {
      text += Escape.hideCursor
    }
    self.last = frame
    return text.isEmpty ? "" : Escape.begin + text + Escape.end
  }
}

/// Writes cells with as few control sequences as possible.
private struct CellWriter {
  private let usesColor: Bool
  private(set) var text = ""
  /// The position of the terminal's cursor; nil if it is not certain.
  private var cursor: (line: Int, column: Int)?
  private var style: Style?

  init(usesColor: Bool) { self.usesColor = usesColor }

  mutating func write(_ cell: Cell, line: Int, column: Int) {
    // The first column of a wide character has written all of it.
    guard let glyph = cell.glyph else { return }
    if cursor.map({ $0 != (line, column) }) ?? true { text += Escape.moveCursor(line, column) }
    let new = usesColor ? cell.style : cell.style.colorless
    if style != new {
      text += Escape.select(new, after: style)
      style = new
    }
    text.append(glyph)
    // Terminals differ in the width of other characters.
    let isCertain = glyph.columns == 1 && glyph.unicodeScalars.count == 1
    cursor = isCertain ? (line, column + 1) : nil
  }
}

/// Control sequences (ECMA-48, and xterm's modes).
enum Escape {
  static let plain = "\u{1B}[0m"
  static let clear = "\u{1B}[2J"
  static let showCursor = "\u{1B}[?25h"
  static let hideCursor = "\u{1B}[?25l"
  /// Begins a synchronized update, which is shown at its end. Terminals without support ignore it.
  static let begin = "\u{1B}[?2026h"
  static let end = "\u{1B}[?2026l"
  /// Enables the alternate screen, mouse events in SGR form, and bracketed paste.
  static let enter = "\u{1B}[?1049h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?25l\u{1B}[0m\u{1B}[2J"
  static let leave = "\u{1B}[0m\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"

  static func moveCursor(_ line: Int, _ column: Int) -> String { "\u{1B}[\(line + 1);\(column + 1)H" }

  /// Returns the sequence that changes the style from `last` to `style`.
  static func select(_ style: Style, after last: Style?) -> String {
    var parameters: [String] = []
    var last = last ?? .plain
    if (last.isBold, last.isDim, last.isReversed) != (style.isBold, style.isDim, style.isReversed) {
      parameters.append("0")
      if style.isBold { parameters.append("1") }
      if style.isDim { parameters.append("2") }
      if style.isReversed { parameters.append("7") }
      last = .plain
    }
    if last.foreground != style.foreground {
      parameters.append(style.foreground.parameters(isBackground: false))
    }
    if last.background != style.background {
      parameters.append(style.background.parameters(isBackground: true))
    }
    return parameters.isEmpty ? "" : "\u{1B}[\(parameters.joined(separator: ";"))m"
  }
}
