public import Cellophane

extension ListLayout: RowLayout {
  /// The number of rows.
  public var count: Int { rows }

  /// The height of all rows.
  public var length: Double { Double(rows * rowHeight) }

  /// Where `row` begins and ends.
  public func extent(of row: Int) -> ClosedRange<Double> {
    Double(row * rowHeight)...Double((row + 1) * rowHeight)
  }

  /// The rows of which some part lies between two places.
  public func rows(from start: Double, to end: Double) -> Range<Int> {
    let height = Double(rowHeight)
    // With the number first, max() passes over what is none.
    let first = Int((min(max(0, start), length) / height).rounded(.down))
    let last = Int((min(max(0, end), length) / height).rounded(.up))
    return first..<max(first, last)
  }
}
