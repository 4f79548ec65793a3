/// For how long a value in memory answers.
public enum MemoryReuse: Sendable {
  /// As long as it is there, whatever its origin said, as a picture on screen does: a cell that scrolls back in shows
  /// its picture in the same turn. `stale-while-revalidate` alone has it refreshed meanwhile.
  case untilEvicted
  /// As long as its bytes may answer unasked by HTTP: while they are fresh, and for the time of
  /// `stale-while-revalidate`. What may not (`no-cache`, `no-store`, `Vary: *`, nothing said) is not kept in
  /// memory. For servers and other long lives.
  case untilStale
}
