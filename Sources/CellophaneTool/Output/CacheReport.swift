internal import Cellophane

/// The activity of the disk cache in one run, as JSON.
struct CacheReport: Encodable, Sendable {
  /// The number of stored responses.
  let stored: Int
  /// The number of complete or partial responses that were too large for the cache, or for which it had no room.
  let refused: Int
  /// The number of failed file operations.
  let errors: Int
  let lastError: String?

  init(_ counters: DiskCounters) {
    stored = counters.stores
    refused = counters.refused
    errors = counters.errors
    lastError = counters.lastError
  }
}
