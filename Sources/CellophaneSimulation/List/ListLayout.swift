public import Cellophane

/// A list of equally high rows with one picture each, seen through a viewport. Lengths in px.
public struct ListLayout: Sendable, Hashable {
  /// The number of rows.
  public let rows: Int
  /// The height of a row.
  public let rowHeight: Int
  /// The size at which a row shows its picture, in the middle of the row's height.
  public let picture: PixelSize
  /// The size of the visible part.
  public let viewport: PixelSize

  /// A list. The viewport is by default the phone that Lighthouse emulates, 412 × 823.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when a number is out of range, or a picture does not fit
  ///   its row.
  public init(
    rows: Int, rowHeight: Int, picture: PixelSize,
    viewport: PixelSize = PixelSize(width: 412, height: 823)
  ) throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: Self.rowCounts)
    try ScenarioField.check(rowHeight, "list.row_height_px", within: Self.lengths)
    try ScenarioField.check(picture.width, "list.picture[0]", within: Self.lengths)
    try ScenarioField.check(picture.height, "list.picture[1]", within: Self.lengths)
    guard picture.height <= rowHeight else {
      throw ScenarioField.refused(
        "list.picture[1]", "\(picture.height) px do not fit a row of \(rowHeight) px")
    }
    try ScenarioField.check(viewport.width, "viewport.w", within: Self.lengths)
    try ScenarioField.check(viewport.height, "viewport.h", within: Self.lengths)
    guard viewport.height / rowHeight <= Self.mostVisibleRows else {
      throw ScenarioField.refused(
        "list.row_height_px",
        "\(rowHeight) px in a viewport of \(viewport.height) px are more than \(Self.mostVisibleRows) visible rows"
      )
    }
    self.rows = rows
    self.rowHeight = rowHeight
    self.picture = picture
    self.viewport = viewport
  }

  /// The numbers of rows that a run accepts: a row number has 24 bits in a picture.
  public static let rowCounts = 1...RowCode.largestRow
  /// The lengths that a run accepts, in px. 16 384: no screen has more.
  public static let lengths = 1...16_384

  /// The most rows that fit into the viewport: more would not be pictures but lines.
  public static let mostVisibleRows = 200

  /// How many rows can be in the viewport at once, at least in part.
  public var visibleAtOnce: Int { (viewport.height + rowHeight - 1) / rowHeight + 1 }

  /// The number of reused slots: as many rows as fill the viewport, and two more, one for the row that is
  /// partly in at the other end and one to spare.
  public var slots: Int { (viewport.height + rowHeight - 1) / rowHeight + 2 }

  /// How far the list can scroll.
  public var longestOffset: Double { Double(max(0, rows * rowHeight - viewport.height)) }

  /// The rows of which some part is in the viewport when it starts `offset` below the top.
  public func visibleRows(at offset: Double) -> Range<Int> {
    rows(from: offset, to: offset + Double(viewport.height))
  }

  /// The area of `row`'s picture within the viewport, in px²; 0 unless at least one line of it is in.
  public func visibleArea(of row: Int, at offset: Double) -> Double {
    let top = Double(row * rowHeight) + Double(rowHeight - picture.height) / 2 - offset
    let height = min(top + Double(picture.height), Double(viewport.height)) - max(top, 0)
    return height >= 1 ? height * Double(min(picture.width, viewport.width)) : 0
  }
}
