/// Decides which rows of a list are loaded before they come in. A pure function of how the list moves now.
public protocol PrefetchPolicy: Sendable {
  /// The rows to load, most wanted first; visible ones are not among them. What is being loaded for another
  /// row that is not visible is no longer wanted and cancelled, as by ``Prefetcher/show(_:isolation:)``.
  /// O(rows returned and passed over).
  func rows(for motion: ListMotion) -> [Int]
}
