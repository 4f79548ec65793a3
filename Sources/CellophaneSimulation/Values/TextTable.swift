/// Lines of tables for people.
enum TextTable {
  /// A line with the first cell at the left of its column and the others at the right of theirs.
  static func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let space = String(repeating: " ", count: max(index == 0 ? 0 : 1, width - cell.count))
      line += index == 0 ? cell + space : space + cell
    }
    return line
  }
}
