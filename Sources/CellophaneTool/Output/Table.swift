/// A table of text cells. Each column is as wide as its longest cell.
struct Table {
  /// The alignment of a column.
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// Creates an empty table with these columns.
  init(_ alignments: Alignment...) { self.alignments = alignments }

  /// Adds a row. It may have fewer cells than the table has columns.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The rows as lines, with two spaces between the columns and none at the end.
  var lines: [String] {
    var widths = [Int](repeating: 0, count: alignments.count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        line += (column == 0 ? "" : "  ") + (alignments[column] == .left ? cell + blanks : blanks + cell)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
