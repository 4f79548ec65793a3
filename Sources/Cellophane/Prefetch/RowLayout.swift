/// Where the rows of a list lie, along the way that it scrolls. Rows are numbered from 0 in the order in which they
/// lie; several may lie side by side. Lengths are in the list's own unit, points or px.
///
/// ``EvenRows`` and ``UnevenRows`` are for most lists; one that knows its rows in another way conforms itself.
public protocol RowLayout: Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The length of the list, from the beginning of its first row to the end of its last one.
  var length: Double { get }

  /// Where `row` begins and ends, measured from the beginning of the list. Rows that do not exist are not asked for.
  func extent(of row: Int) -> ClosedRange<Double>

  /// The rows of which some part lies between two places, which may lie outside of the list; an empty range at the
  /// nearest row when there is none.
  func rows(from start: Double, to end: Double) -> Range<Int>
}

/// Rows of one height: a plain list, or a grid of some columns.
public struct EvenRows: RowLayout {
  /// The number of rows.
  public let count: Int
  /// How many rows lie side by side.
  public let columns: Int
  /// How high one is, what keeps it from the next one included.
  public let height: Double

  /// The heights that are accepted: at most a billion, so that every length is a number.
  public static let heights = 1.0...1e9

  /// `count` rows of `height`, `columns` of them side by side. A number that no list has counts as the nearest one
  /// that it can have: no rows, one column, a height of ``heights``.
  public init(count: Int, height: Double, columns: Int = 1) {
    self.count = Int(Int32(clamping: max(0, count)))
    self.columns = Int(Int32(clamping: max(1, columns)))
    // With the number first, max() passes over what is none.
    self.height = min(max(Self.heights.lowerBound, height), Self.heights.upperBound)
  }

  private var lines: Int { count == 0 ? 0 : (count - 1) / columns + 1 }

  /// The length of the list.
  public var length: Double { Double(lines) * height }

  /// Where `row` begins and ends. O(1).
  public func extent(of row: Int) -> ClosedRange<Double> {
    let line = row / columns
    return Double(line) * height...Double(line + 1) * height
  }

  /// The rows of which some part lies between two places. O(1).
  public func rows(from start: Double, to end: Double) -> Range<Int> {
    let first = Int((min(max(0, start), length) / height).rounded(.down))
    let last = Int((min(max(0, end), length) / height).rounded(.up))
    let lower = min(first * columns, count)
    return lower..<max(lower, min(last * columns, count))
  }
}

/// Rows of different heights, one below the other.
public struct UnevenRows: RowLayout {
  /// Where each row ends.
  private let ends: [Double]

  /// Rows of these heights; one that is negative or no number counts as 0. O(n).
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

  /// Where `row` begins and ends. O(1).
  public func extent(of row: Int) -> ClosedRange<Double> { (row == 0 ? 0 : ends[row - 1])...ends[row] }

  /// The rows of which some part lies between two places. O(log n).
  public func rows(from start: Double, to end: Double) -> Range<Int> {
    let lower = rows { $0 <= start }
    // One that ends there or behind is the last that begins before.
    return lower..<max(lower, end > 0 ? min(rows { $0 < end } + 1, count) : 0)
  }

  /// The number of rows from the first on whose ends are `before`. O(log n).
  private func rows(_ isBefore: (Double) -> Bool) -> Int {
    var range = ends.startIndex..<ends.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(ends[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
