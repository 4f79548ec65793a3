internal import Cellophane

/// What `--json` prints of what the disk cache did in this run.
struct CacheReport: Encodable, Sendable {
  /// Responses written.
  let stored: Int
  /// Responses, and beginnings of them, that were too large for it or found it full.
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
}
