/// Rows of plain-text tables.
enum TextTable {
  /// Returns one row of a table. The first cell is aligned to the left, the others to the right.
  static func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let space = String(repeating: " ", count: max(index == 0 ? 0 : 1, width - cell.count))
      line += index == 0 ? cell + space : space + cell
    }
    return line
  }
}
