/// What happens to an event that comes when a buffer is full.
public enum BufferOverflow: Sendable, Hashable, CaseIterable {
  /// The one that has waited longest makes room for it.
  case dropOldest
  /// It is dropped itself.
  case dropNewest
  /// Its sender waits until there is room.
  case suspend
}
