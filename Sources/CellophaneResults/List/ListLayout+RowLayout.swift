internal import Cellophane

extension ListLayout: RowLayout {
  /// The number of rows.
  package var count: Int { rows }
}
