/// The positions of the rows of a list along the scroll direction. Rows are numbered from 0; several may be side by side.
/// Lengths are in the list's unit, points or px.
///
/// ``EvenRows`` and ``UnevenRows`` serve most lists; others conform to this protocol.
public protocol RowLayout: Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The length of the list, from the start of its first row to the end of its last one.
  var length: Double { get }

  /// Returns the start and the end of `row`, from the start of the list. Called for existing rows only.
  func extent(of row: Int) -> ClosedRange<Double>

  /// Returns the rows that are at least partly between two offsets, which may be outside the list; an empty range at the
  /// nearest row when no row is.
  func rows(from start: Double, to end: Double) -> Range<Int>
}

/// Rows of one height: a plain list or a grid.
public struct EvenRows: RowLayout {
  /// The number of rows.
  public let count: Int
  /// The number of rows side by side.
  package let columns: Int
  /// The height of a row, spacing included.
  package let height: Double

  /// The accepted heights: at most a billion, so that every length is finite.
  package static let heights = 1.0...1e9

  /// Creates `count` rows of `height` in `columns` columns. Invalid numbers are clamped: to no rows, one column, a height
  /// from 1 to a billion.
  public init(count: Int, height: Double, columns: Int = 1) {
    self.count = Int(Int32(clamping: max(0, count)))
    self.columns = Int(Int32(clamping: max(1, columns)))
    // With the number as the first argument, max() ignores NaN.
    self.height = min(max(Self.heights.lowerBound, height), Self.heights.upperBound)
  }

  private var lines: Int { count == 0 ? 0 : (count - 1) / columns + 1 }

  /// The length of the list.
  public var length: Double { Double(lines) * height }

  /// Returns the start and the end of `row`. O(1).
  public func extent(of row: Int) -> ClosedRange<Double> {
    let line = row / columns
    return Double(line) * height...Double(line + 1) * height
  }

  /// Returns the rows that are at least partly between two offsets. O(1).
  public func rows(from start: Double, to end: Double) -> Range<Int> {
    let first = Int((min(max(0, start), length) / height).rounded(.down))
    let last = Int((min(max(0, end), length) / height).rounded(.up))
    let lower = min(first * columns, count)
    return lower..<max(lower, min(last * columns, count))
  }
}

/// Rows of different heights, one below the other.
public struct UnevenRows: RowLayout {
  /// The end of each row.
  private let ends: [Double]

  /// Creates rows of these heights; a negative height or NaN counts as 0. O(n).
  public init(heights: some Sequence<Double>) {
    var end = 0.0
    ends = heights.map { height in
      if height.isFinite { end += max(0, height) }
      return end
    }
  }

  /// The number of rows.
  public var count: Int { ends.count }
  /// The length of the list.
  public var length: Double { ends.last ?? 0 }

  /// Returns the start and the end of `row`. O(1).
  public func extent(of row: Int) -> ClosedRange<Double> { (row == 0 ? 0 : ends[row - 1])...ends[row] }

  /// Returns the rows that are at least partly between two offsets. O(log n).
  public func rows(from start: Double, to end: Double) -> Range<Int> {
    let lower = rows { $0 <= start }
    // The last row that starts before `end` is the first that ends there or later.
    return lower..<max(lower, end > 0 ? min(rows { $0 < end } + 1, count) : 0)
  }

  /// Returns the number of leading rows whose ends satisfy `isBefore`. O(log n).
  private func rows(_ isBefore: (Double) -> Bool) -> Int {
    var range = ends.startIndex..<ends.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(ends[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
