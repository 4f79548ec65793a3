/// A selection of the rows to load before they become visible: a pure function of the list's motion, which a
/// ``Prefetcher`` applies.
public protocol PrefetchPolicy: Sendable {
  /// Returns the rows to load, most important first, without visible ones. Loads for other rows that are not visible are
  /// cancelled. O(rows returned and skipped).
  ///
  /// - Parameter loadTime: The estimated time to load a row.
  func rows(for motion: ListMotion, loadTime: Duration) -> [Int]

  /// Returns the priority of the visible `row`. ``Priority/visible`` by default. O(1).
  func priority(ofVisible row: Int, for motion: ListMotion, loadTime: Duration) -> Priority
}

extension PrefetchPolicy {
  /// Returns ``Priority/visible``.
  public func priority(ofVisible row: Int, for motion: ListMotion, loadTime: Duration) -> Priority {
    .visible
  }
}
