/// Decides what of a list is loaded before it comes in. A pure function of how the list moves now; a ``Prefetcher``
/// does what it says.
public protocol PrefetchPolicy: Sendable {
  /// The rows to load, most wanted first; visible ones are not among them. What is being loaded for another
  /// row that is not visible is no longer wanted and cancelled. O(rows returned and passed over).
  ///
  /// - Parameter loadTime: How long loading a row takes, as far as is known.
  func rows(for motion: ListMotion, loadTime: Duration) -> [Int]

  /// How urgent `row` is, which is visible now. ``Priority/visible`` unless the policy says otherwise. O(1).
  func priority(ofVisible row: Int, for motion: ListMotion, loadTime: Duration) -> Priority
}

extension PrefetchPolicy {
  /// Somebody is looking.
  public func priority(ofVisible row: Int, for motion: ListMotion, loadTime: Duration) -> Priority {
    .visible
  }
}
