/// Rows of cells for people, in columns as wide as what stands in them.
struct Table {
  /// On which side a column's cells begin.
  enum Side { case left, right }

  private let sides: [Side]
  private var rows: [[String]] = []

  /// A table with these columns.
  init(_ sides: Side...) { self.sides = sides }

  /// Adds a row; columns that it does not reach stay empty.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The rows as lines, two blanks between the columns and none at the end.
  var lines: [String] {
    var widths = [Int](repeating: 0, count: sides.count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        line += (column == 0 ? "" : "  ") + (sides[column] == .left ? cell + blanks : blanks + cell)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
