public import Cellophane

/// A list of rows with one picture each, one below the other or side by side in columns, seen through a viewport.
/// Lengths in px.
public struct ListLayout: Sendable, Hashable {
  /// Rows under a heading.
  public struct Section: Sendable, Hashable {
    /// How many rows there are under each heading.
    public var rows: Int
    /// The height of the heading, which has no picture.
    public var header: Int

    /// Sections of `rows` rows with a heading of `header` px each.
    public init(rows: Int, header: Int) {
      self.rows = rows
      self.header = header
    }
  }

  /// The number of rows.
  public let rows: Int
  /// How many rows lie side by side.
  public let columns: Int
  /// The height of a row; where heights differ, of one whose picture is ``picture``.
  public let rowHeight: Int
  /// The size at which a row shows its picture, in the middle of the row's height; where heights differ, the one from
  /// which they do.
  public let picture: PixelSize
  /// The size of the visible part.
  public let viewport: PixelSize
  /// The most rows that can be in the viewport at once, at least in part.
  public let visibleAtOnce: Int
  /// Where the lines of rows are; nil where every line is as high as ``rowHeight`` and there is nothing between them.
  private let lines: PlacedLines?
  /// The height of each row's picture, where they differ.
  private let pictureHeights: [Int]?

  /// A list. The viewport is by default the phone that Lighthouse emulates, 412 × 823.
  ///
  /// - Parameters:
  ///   - columns: How many rows lie side by side.
  ///   - section: What divides the rows, if anything does.
  ///   - pictureHeights: The height of each row's picture, as many as there are rows; nil where all are as high as
  ///     `picture`. A row is so much higher than its picture as `rowHeight` is than `picture`, and a line as high as
  ///     its highest row.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when a number is out of range, or a picture does not fit
  ///   its row.
  /// - Complexity: O(1) where all rows are equal, else O(rows).
  public init(
    rows: Int, rowHeight: Int, picture: PixelSize, columns: Int = 1, section: Section? = nil,
    pictureHeights: [Int]? = nil, viewport: PixelSize = PixelSize(width: 412, height: 823)
  ) throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: Self.rowCounts)
    try ScenarioField.check(columns, "list.columns", within: Self.columnCounts)
    try ScenarioField.check(rowHeight, "list.row_height_px", within: Self.lengths)
    try ScenarioField.check(picture.width, "list.picture[0]", within: Self.lengths)
    try ScenarioField.check(picture.height, "list.picture[1]", within: Self.lengths)
    guard picture.height <= rowHeight else {
      throw ScenarioField.refused(
        "list.picture[1]", "\(picture.height) px do not fit a row of \(rowHeight) px")
    }
    try ScenarioField.check(viewport.width, "viewport.w", within: Self.lengths)
    try ScenarioField.check(viewport.height, "viewport.h", within: Self.lengths)
    if let pictureHeights {
      guard pictureHeights.count == rows, pictureHeights.allSatisfy(Self.lengths.contains) else {
        throw LoadError(
          .invalidRequest, "the heights of pictures must be as many as rows, and lie in 1...16384 px")
      }
    }
    self.rows = rows
    self.columns = columns
    self.rowHeight = rowHeight
    self.picture = picture
    self.viewport = viewport
    self.pictureHeights = pictureHeights
    if section != nil || pictureHeights != nil {
      lines = try PlacedLines(
        rows: rows, columns: columns, section: section, pictureHeights: pictureHeights,
        rowHeight: rowHeight, margin: rowHeight - picture.height)
    } else {
      lines = nil
    }
    let lines = lines?.mostWithin(viewport.height) ?? (viewport.height + rowHeight - 1) / rowHeight + 1
    visibleAtOnce = lines * columns
    guard visibleAtOnce <= Self.mostVisibleRows else {
      throw ScenarioField.refused(
        "list.row_height_px",
        "rows of \(rowHeight) px, \(columns) side by side, are more than \(Self.mostVisibleRows) in a viewport of"
          + " \(viewport.height) px")
    }
  }

  /// The numbers of rows that a run accepts: a row number has 24 bits in a picture.
  public static let rowCounts = 1...RowCode.largestRow
  /// The numbers of rows that a list of different heights or with sections can have: each one's place is kept, some
  /// 40 MB for so many.
  public static let placedRowCounts = 1...1_000_000
  /// The numbers of rows side by side that a run accepts: more would not be pictures but dots.
  public static let columnCounts = 1...16
  /// The lengths that a run accepts, in px. 16 384: no screen has more.
  public static let lengths = 1...16_384

  /// The most rows that fit into the viewport: more would not be pictures but lines.
  public static let mostVisibleRows = 200

  /// The number of reused slots: as many rows as can be visible, and a line to spare.
  public var slots: Int { visibleAtOnce + columns }

  /// The length of the whole list.
  public var length: Double { Double(lines?.length ?? (rows + columns - 1) / columns * rowHeight) }

  /// How far the list can scroll.
  public var longestOffset: Double { max(0, length - Double(viewport.height)) }

  /// The size at which `row` shows its picture.
  public func pictureSize(of row: Int) -> PixelSize {
    guard let pictureHeights else { return picture }
    return PixelSize(width: picture.width, height: pictureHeights[row])
  }

  /// Where `row` begins and ends, from the top of the list. O(1).
  public func extent(of row: Int) -> ClosedRange<Double> {
    let line = row / columns
    guard let lines else { return Double(line * rowHeight)...Double((line + 1) * rowHeight) }
    return lines.extent(ofRow: row)
  }

  /// The rows of which some part lies between two places of the list; an empty range where there is none. O(1) where
  /// all rows are equal, else O(log rows).
  public func rows(from start: Double, to end: Double) -> Range<Int> {
    guard lines == nil else { return lines?.rows(from: start, to: end) ?? 0..<0 }
    let height = Double(rowHeight)
    // With the number first, max() passes over what is none.
    let first = Int((min(max(0, start), length) / height).rounded(.down)) * columns
    let last = Int((min(max(0, end), length) / height).rounded(.up)) * columns
    let lower = min(first, rows)
    return lower..<max(lower, min(last, rows))
  }

  /// The rows of which some part is in the viewport when it starts `offset` below the top.
  public func visibleRows(at offset: Double) -> Range<Int> {
    rows(from: offset, to: offset + Double(viewport.height))
  }

  /// The offset at which this list has at its top what `other`, of the same rows, has there at `offset`.
  func offset(showing other: ListLayout, at offset: Double) -> Double {
    guard let row = other.visibleRows(at: offset).first else { return 0 }
    let (there, here) = (other.extent(of: row), extent(of: row))
    // Less than 0 below a heading.
    let share = (offset - there.lowerBound) / max(1, there.upperBound - there.lowerBound)
    return min(max(0, here.lowerBound + share * (here.upperBound - here.lowerBound)), longestOffset)
  }

  /// The area of `row`'s picture within the viewport, in px²; 0 unless at least one line of it is in.
  public func visibleArea(of row: Int, at offset: Double) -> Double {
    let extent = extent(of: row)
    let whole = Double(pictureSize(of: row).height)
    let top = extent.lowerBound + (extent.upperBound - extent.lowerBound - whole) / 2 - offset
    let height = min(top + whole, Double(viewport.height)) - max(top, 0)
    return height >= 1 ? height * Double(min(picture.width, viewport.width / columns)) : 0
  }
}
