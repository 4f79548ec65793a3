internal import Cellophane

/// What `--json` prints of what the disk cache did in this run.
struct CacheReport: Encodable, Sendable {
  /// Responses written.
  let stored: Int
  /// Responses that were too large for it.
  let refused: Int
  /// File operations that failed.
  let errors: Int
  let lastError: String?

  init(_ counters: DiskCounters) {
    stored = counters.stores
    refused = counters.refused
    errors = counters.errors
    lastError = counters.lastError
  }

  /// Why not all of `fetched` responses were kept; nil when they were, or when their origin forbade it.
  func loss(of fetched: Int) -> String? {
    guard stored < fetched, errors + refused > 0 else { return nil }
    return lastError ?? "a response may take at most an eighth of the cache"
  }
}
