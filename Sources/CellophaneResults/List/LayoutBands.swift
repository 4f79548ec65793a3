internal import Cellophane

/// The positions of a list's bands if they differ in height or have headings. A band is the rows that lie
/// side by side. Lengths are in px.
struct LayoutBands: Sendable, Hashable {
  private struct Band: Hashable {
    let top: Int
    let bottom: Int
    /// The row after its last row.
    let end: Int
  }

  private let bands: [Band]
  /// The band of each row; nil if the number of columns determines it.
  private let bandOfRow: [Int32]?
  private let columns: Int

  /// Creates bands of at most `columns` rows. A heading begins a new band.
  ///
  /// - Parameter margin: The height of a row minus the height of its image.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a number is out of range.
  init(
    rows: Int, columns: Int, section: ListLayout.Section?, pictureHeights: [Int]?, rowHeight: Int, margin: Int
  ) throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: ListLayout.placedRowCounts)
    if let section {
      try ScenarioField.check(section.rows, "list.section.rows", within: ListLayout.rowCounts)
      try ScenarioField.check(section.header, "list.section.header_px", within: ListLayout.lengths)
    }
    var bands: [Band] = []
    var (row, top) = (0, 0)
    while row < rows {
      var end = min(row + columns, rows)
      if let section {
        if row % section.rows == 0 { top += section.header }
        end = min(end, (row / section.rows + 1) * section.rows)
      }
      let height = pictureHeights.map { ($0[row..<end].max() ?? 0) + margin } ?? rowHeight
      bands.append(Band(top: top, bottom: top + height, end: end))
      (row, top) = (end, top + height)
    }
    self.bands = bands
    self.columns = columns
    if columns > 1, section != nil {
      var first = 0
      bandOfRow = bands.indices.flatMap { band in
        defer { first = bands[band].end }
        return repeatElement(Int32(band), count: bands[band].end - first)
      }
    } else {
      bandOfRow = nil
    }
  }

  /// The distance from the top of the list to the end of the last band.
  var length: Int { bands.last?.bottom ?? 0 }

  /// Returns the top and the bottom of `row`'s band.
  func extent(ofRow row: Int) -> ClosedRange<Double> {
    let band = bands[bandOfRow.map { Int($0[row]) } ?? row / columns]
    return Double(band.top)...Double(band.bottom)
  }

  /// Returns the rows of the bands that intersect a range of the list. O(log bands).
  package func rows(from start: Double, to end: Double) -> Range<Int> {
    let first = bands.countOfFirst { Double($0.bottom) <= start }
    let last = max(first, bands.countOfFirst { Double($0.top) < end })
    return self.end(ofFirst: first)..<self.end(ofFirst: last)
  }

  /// Returns the maximum number of bands that a viewport of `height` can show at once, at least in part.
  /// O(bands).
  func maxCount(within height: Int) -> Int {
    var (maximum, end) = (0, 0)
    for first in bands.indices {
      // The largest number is visible when less than a pixel of the first band is.
      while end < bands.count, bands[end].top < bands[first].bottom + height { end += 1 }
      maximum = max(maximum, end - first)
    }
    return maximum
  }

  /// Returns the number of rows in the first `count` bands.
  private func end(ofFirst count: Int) -> Int { count > 0 ? bands[count - 1].end : 0 }
}
