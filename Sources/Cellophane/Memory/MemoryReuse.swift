/// The time for which a value in memory answers.
public enum MemoryReuse: Sendable {
  /// Until it is evicted, like an image on screen: a cell that scrolls back into view shows its image at once. Of the
  /// origin's directives, only `stale-while-revalidate` has an effect: it refreshes the value in the background.
  case untilEvicted
  /// As long as HTTP permits its bytes to answer without validation: while they are fresh and during
  /// `stale-while-revalidate`. Values that HTTP does not permit to answer (`no-cache`, `no-store`, `Vary: *`, no freshness)
  /// are not stored in memory. For servers and other long-lived processes.
  case untilStale
}
