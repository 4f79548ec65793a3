/// Rows of plain-text tables.
enum TextTable {
  /// Returns one row of a table. The first cell is aligned to the left, the others to the right.
  static func line(_ cells: [String], widths: [Int]) -> String {
    zip(cells, widths).enumerated().map { index, cell in
      index == 0 ? left(cell.0, cell.1) : right(cell.0, cell.1)
    }.joined()
  }

  /// Returns `text` with spaces after it, up to `width` characters.
  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Returns `text` with spaces before it, up to `width` characters. At least one space separates it from its left
  /// neighbor.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  /// Returns `text` as lines of at most `width` characters. It breaks at spaces, and a longer word has its own line.
  static func wrapped(_ text: String, width: Int = 80) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
