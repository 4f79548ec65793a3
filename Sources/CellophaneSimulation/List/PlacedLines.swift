internal import Cellophane

/// Where lines of rows are, when they differ in height or have headings above them. Lengths in px.
struct PlacedLines: Sendable, Hashable {
  private struct Line: Hashable {
    let top: Int
    let bottom: Int
    /// The row behind its last one.
    let end: Int
  }

  private let lines: [Line]
  /// The line of each row, where that is not told by the number of columns.
  private let lineOfRow: [Int32]?
  private let columns: Int

  /// Lines of at most `columns` rows; a heading begins a line of its own.
  ///
  /// - Parameter margin: How much higher a row is than its picture.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when a number is out of range.
  init(
    rows: Int, columns: Int, section: ListLayout.Section?, pictureHeights: [Int]?, rowHeight: Int, margin: Int
  ) throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: ListLayout.placedRowCounts)
    if let section {
      try ScenarioField.check(section.rows, "list.section.rows", within: ListLayout.rowCounts)
      try ScenarioField.check(section.header, "list.section.header_px", within: ListLayout.lengths)
    }
    var lines: [Line] = []
    var (row, top) = (0, 0)
    while row < rows {
      var end = min(row + columns, rows)
      if let section {
        if row % section.rows == 0 { top += section.header }
        end = min(end, (row / section.rows + 1) * section.rows)
      }
      let height = pictureHeights.map { ($0[row..<end].max() ?? 0) + margin } ?? rowHeight
      lines.append(Line(top: top, bottom: top + height, end: end))
      (row, top) = (end, top + height)
    }
    self.lines = lines
    self.columns = columns
    if columns > 1, section != nil {
      var first = 0
      lineOfRow = lines.indices.flatMap { line in
        defer { first = lines[line].end }
        return repeatElement(Int32(line), count: lines[line].end - first)
      }
    } else {
      lineOfRow = nil
    }
  }

  /// From the top to the end of the last line.
  var length: Int { lines.last?.bottom ?? 0 }

  /// Where `row`'s line begins and ends.
  func extent(ofRow row: Int) -> ClosedRange<Double> {
    let line = lines[lineOfRow.map { Int($0[row]) } ?? row / columns]
    return Double(line.top)...Double(line.bottom)
  }

  /// The rows of the lines of which some part lies between two places. O(log lines).
  func rows(from start: Double, to end: Double) -> Range<Int> {
    let first = lines.countOfFirst { Double($0.bottom) <= start }
    let last = max(first, lines.countOfFirst { Double($0.top) < end })
    return self.end(ofFirst: first)..<self.end(ofFirst: last)
  }

  /// The most lines of which some part can lie within `height`. O(lines).
  func mostWithin(_ height: Int) -> Int {
    var (most, end) = (0, 0)
    for first in lines.indices {
      // Less than a pixel of the first line is left.
      while end < lines.count, lines[end].top < lines[first].bottom + height { end += 1 }
      most = max(most, end - first)
    }
    return most
  }

  /// The number of rows in the first `count` lines.
  private func end(ofFirst count: Int) -> Int { count > 0 ? lines[count - 1].end : 0 }
}
