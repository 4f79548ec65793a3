/// The rule for an event that arrives while a buffer is full.
public enum BufferOverflow: Sendable, Hashable, CaseIterable {
  /// Drops the event that has waited longest.
  case dropOldest
  /// Drops the new event.
  case dropNewest
  /// Suspends the sender until there is room.
  case suspend
}
