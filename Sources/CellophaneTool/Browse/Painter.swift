/// What a screen shows: characters, pictures of pixels in front of them, and where somebody types.
struct Frame: Sendable {
  var grid: Grid
  var pictures: [PixelPicture] = []
  /// Nil where nobody types.
  var cursor: (line: Int, column: Int)?
}

/// Turns frames into what a terminal is told: what has changed since the one before, in one piece.
struct Painter {
  private let usesColour: Bool
  private var last: Frame?

  /// - Parameter usesColour: False for characters that are bold, dim or reversed and nothing else.
  init(usesColour: Bool) { self.usesColour = usesColour }

  /// Forgets what is on the terminal: the next frame is drawn as a whole.
  mutating func invalidate() { last = nil }

  /// What makes the terminal show `frame`; empty when it does already.
  mutating func paint(_ frame: Frame) -> String {
    var last = last.flatMap { last in
      last.grid.columns == frame.grid.columns && last.grid.lines == frame.grid.lines ? last : nil
    }
    var text = ""
    if last == nil {
      text += Escape.plain + Escape.clear + PixelPicture.removeAll(frame.pictures)
      last = Frame(grid: Grid(columns: frame.grid.columns, lines: frame.grid.lines))
    }
    let before = last?.pictures ?? []
    let gone = before.filter { picture in !frame.pictures.contains { $0.isSame(as: picture) } }
    for picture in gone { text += picture.removal(for: frame.pictures) }
    var writer = CellWriter(usesColour: usesColour)
    for line in 0..<frame.grid.lines {
      for column in 0..<frame.grid.columns {
        let cell = frame.grid[line, column]
        // What lies behind pixels that are gone has to be written over them.
        let isUncovered = gone.contains { $0.needsErasing && $0.covers(line, column) }
        if cell == last?.grid[line, column], !isUncovered { continue }
        writer.write(cell, line: line, column: column)
      }
    }
    text += writer.text
    if !writer.text.isEmpty { text += Escape.plain }
    for picture in frame.pictures where !before.contains(where: { $0.isSame(as: picture) }) {
      text += Escape.place(picture.line, picture.column) + picture.text
    }
    if let cursor = frame.cursor {
      if !text.isEmpty || self.last?.cursor.map({ $0 == cursor }) != true {
        text += Escape.place(cursor.line, cursor.column) + Escape.showCursor
      }
    } else if self.last?.cursor != nil || self.last == nil {
      text += Escape.hideCursor
    }
    self.last = frame
    return text.isEmpty ? "" : Escape.begin + text + Escape.end
  }
}

/// Writes cells, with as few words between them as it takes.
private struct CellWriter {
  private let usesColour: Bool
  private(set) var text = ""
  /// Where the terminal writes next, as far as that is certain.
  private var place: (line: Int, column: Int)?
  private var style: Style?

  init(usesColour: Bool) { self.usesColour = usesColour }

  mutating func write(_ cell: Cell, line: Int, column: Int) {
    // A character of several columns has been written with its first.
    guard let glyph = cell.glyph else { return }
    if place.map({ $0 != (line, column) }) ?? true { text += Escape.place(line, column) }
    let look = usesColour ? cell.style : cell.style.colourless
    if style != look {
      text += Escape.select(look, after: style)
      style = look
    }
    text.append(glyph)
    // Of other characters terminals think differently.
    let isCertain = glyph.columns == 1 && glyph.unicodeScalars.count == 1
    place = isCertain ? (line, column + 1) : nil
  }
}

/// The words that terminals know (ECMA-48, and xterm's for modes).
enum Escape {
  static let plain = "\u{1B}[0m"
  static let clear = "\u{1B}[2J"
  static let showCursor = "\u{1B}[?25h"
  static let hideCursor = "\u{1B}[?25l"
  /// Shows nothing before the end, on terminals that can; others pass over it.
  static let begin = "\u{1B}[?2026h"
  static let end = "\u{1B}[?2026l"
  /// The other screen, the wheel with its SGR form, and the ends of pastes.
  static let enter = "\u{1B}[?1049h\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?25l\u{1B}[0m\u{1B}[2J"
  static let leave = "\u{1B}[0m\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"

  static func place(_ line: Int, _ column: Int) -> String { "\u{1B}[\(line + 1);\(column + 1)H" }

  /// Changes to `style`.
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
