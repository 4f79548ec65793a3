package import Cellophane

/// The layout of a list of rows that have one image each. Rows lie below each other, or side by side in
/// columns, and a viewport shows a part of them. Lengths are in px.
package struct ListLayout: Sendable, Hashable {
  /// The division of a list into sections with headings.
  package struct Section: Sendable, Hashable {
    /// The number of rows under each heading.
    package var rows: Int
    /// The height of a heading. A heading has no image.
    package var header: Int

    /// Creates sections of `rows` rows with a heading of `header` px each.
    package init(rows: Int, header: Int) {
      self.rows = rows
      self.header = header
    }
  }

  /// The number of rows.
  package let rows: Int
  /// The number of rows that lie side by side.
  package let columns: Int
  /// The height of a row. If heights differ: of a row whose image has the size ``picture``.
  package let rowHeight: Int
  /// The size at which a row shows its image, vertically centered. If heights differ, the size that they vary
  /// around.
  package let picture: PixelSize
  /// The size of the viewport.
  package let viewport: PixelSize
  /// The device pixels per px.
  private let density: Double
  /// The maximum number of rows that are visible at once, at least in part.
  package let visibleAtOnce: Int
  /// The positions of the bands of rows; nil if every band is ``rowHeight`` high and follows the one before
  /// it.
  private let bands: LayoutBands?
  /// The height of each row's image; nil if all are equal.
  private let pictureHeights: [Int]?

  /// Creates a layout. The default viewport is the phone that Lighthouse emulates, 412 × 823.
  ///
  /// - Parameters:
  ///   - columns: The number of rows that lie side by side.
  ///   - section: The division into sections; nil for none.
  ///   - pictureHeights: The height of each row's image, one per row; nil if all are as high as `picture`.
  ///     The difference between a row and its image is that between `rowHeight` and `picture`. Rows side by
  ///     side are as high as the highest of them.
  ///   - density: The device pixels per px.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a number is out of range, or an image is higher than its
  ///   row.
  /// - Complexity: O(1) if all rows are equal, otherwise O(rows).
  package init(
    rows: Int, rowHeight: Int, picture: PixelSize, columns: Int = 1, section: Section? = nil,
    pictureHeights: [Int]? = nil, viewport: PixelSize = PixelSize(width: 412, height: 823),
    density: Double = 1
  ) throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: Self.rowCounts)
    try ScenarioField.check(columns, "list.columns", within: Self.columnCounts)
    try ScenarioField.check(rowHeight, "list.row_height_px", within: Self.lengths)
    try ScenarioField.check(picture.width, "list.picture[0]", within: Self.lengths)
    try ScenarioField.check(picture.height, "list.picture[1]", within: Self.lengths)
    guard picture.height <= rowHeight else {
      throw ScenarioField.error(
        "list.picture[1]",
        "an image of \(picture.height) px does not fit a row of \(rowHeight) px; raise list.row_height_px "
          + "(--row-height), or make list.picture (--image) smaller")
    }
    try ScenarioField.check(viewport.width, "viewport.w", within: Self.lengths)
    try ScenarioField.check(viewport.height, "viewport.h", within: Self.lengths)
    if let pictureHeights {
      guard pictureHeights.count == rows, pictureHeights.allSatisfy(Self.lengths.contains) else {
        throw LoadError(
          .invalidRequest, "the list must have one image height per row, each from 1 to 16384 px")
      }
    }
    self.rows = rows
    self.columns = columns
    self.rowHeight = rowHeight
    self.picture = picture
    self.viewport = viewport
    self.density = density
    self.pictureHeights = pictureHeights
    if section != nil || pictureHeights != nil {
      bands = try LayoutBands(
        rows: rows, columns: columns, section: section, pictureHeights: pictureHeights,
        rowHeight: rowHeight, margin: rowHeight - picture.height)
    } else {
      bands = nil
    }
    let visibleBands =
      bands?.maxCount(within: viewport.height) ?? (viewport.height + rowHeight - 1) / rowHeight + 1
    visibleAtOnce = visibleBands * columns
    guard visibleAtOnce <= Self.maxVisibleRows else {
      throw ScenarioField.error(
        "list.row_height_px",
        "a viewport of \(viewport.height) px would show more than \(Self.maxVisibleRows) rows of \(rowHeight) px,"
          + " \(columns) side by side; make them higher")
    }
  }

  /// The numbers of rows that a run accepts. An image encodes its row number in 24 bits.
  package static let rowCounts = 1...RowCode.maxRow
  /// The numbers of rows that a run accepts for a list with different heights or sections. Such a list stores
  /// the position of each row: about 40 MB for the maximum.
  package static let placedRowCounts = 1...1_000_000
  /// The numbers of columns that a run accepts. With more, images would be dots.
  package static let columnCounts = 1...16
  /// The lengths that a run accepts, in px. No screen has more than 16 384.
  package static let lengths = 1...16_384

  /// The maximum number of rows in the viewport. With more, images would be thin strips.
  package static let maxVisibleRows = 200

  /// Returns the maximum number of rows in a part of the list that is `screens` viewports long. At most ``rows``.
  package func maxRows(inScreens screens: Double) -> Int {
    let height = Int((screens * Double(viewport.height)).rounded(.up))
    return min(rows, columns * (bands?.maxCount(within: height) ?? (height + rowHeight - 1) / rowHeight + 1))
  }

  /// The number of slots, which rows reuse: as many as rows can be visible, and one per column to spare.
  package var slots: Int { visibleAtOnce + columns }

  /// The length of the list.
  package var length: Double { Double(bands?.length ?? (rows + columns - 1) / columns * rowHeight) }

  /// The largest scroll offset.
  package var longestOffset: Double { max(0, length - Double(viewport.height)) }

  /// Returns the size at which `row` shows its image, in device pixels: the target of its decoding.
  package func pixelSize(of row: Int) -> PixelSize { pictureSize(of: row).pixels(at: density) }

  /// Returns the size at which `row` shows its image.
  package func pictureSize(of row: Int) -> PixelSize {
    guard let pictureHeights else { return picture }
    return PixelSize(width: picture.width, height: pictureHeights[row])
  }

  /// Returns the top and the bottom of `row`, measured from the top of the list. O(1).
  package func extent(of row: Int) -> ClosedRange<Double> {
    let band = row / columns
    guard let bands else { return Double(band * rowHeight)...Double((band + 1) * rowHeight) }
    return bands.extent(ofRow: row)
  }

  /// Returns the rows that intersect a range of the list; an empty range if no row does. O(1) if all rows
  /// are equal, otherwise O(log rows).
  package func rows(from start: Double, to end: Double) -> Range<Int> {
    guard bands == nil else { return bands?.rows(from: start, to: end) ?? 0..<0 }
    let height = Double(rowHeight)
    // In this order of arguments, max() and min() map NaN to a number.
    let first = Int((min(max(0, start), length) / height).rounded(.down)) * columns
    let last = Int((min(max(0, end), length) / height).rounded(.up)) * columns
    let lower = min(first, rows)
    return lower..<max(lower, min(last, rows))
  }

  /// Returns the rows that are visible, at least in part, at a scroll offset.
  package func visibleRows(at offset: Double) -> Range<Int> {
    rows(from: offset, to: offset + Double(viewport.height))
  }

  /// Returns the offset at which the top of this list shows what the top of `other`, with the same rows,
  /// shows at `offset`.
  func offset(showing other: ListLayout, at offset: Double) -> Double {
    guard let row = other.visibleRows(at: offset).first else { return 0 }
    let (old, new) = (other.extent(of: row), extent(of: row))
    // The share is negative if a heading is at the top.
    let share = (offset - old.lowerBound) / max(1, old.upperBound - old.lowerBound)
    return min(max(0, new.lowerBound + share * (new.upperBound - new.lowerBound)), longestOffset)
  }

  /// Returns the visible area of `row`'s image, in px²; 0 if less than one px of its height is visible.
  package func visibleArea(of row: Int, at offset: Double) -> Double {
    let extent = extent(of: row)
    let height = Double(pictureSize(of: row).height)
    let top = extent.lowerBound + (extent.upperBound - extent.lowerBound - height) / 2 - offset
    let visible = min(top + height, Double(viewport.height)) - max(top, 0)
    return visible >= 1 ? visible * Double(min(picture.width, viewport.width / columns)) : 0
  }
}
