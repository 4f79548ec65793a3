public import Cellophane

extension ListLayout: RowLayout {
  /// The number of rows.
  public var count: Int { rows }
}
