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
}
