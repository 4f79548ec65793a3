/// Which caches may answer a request. Its own `Cache-Control` may narrow that: `only-if-cached`, `no-store`,
/// `max-age`, `min-fresh`, or widen it: `max-stale`, `stale-if-error`.
public enum CachePolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// Memory, then fresh bytes on disk, then the origin, which is asked only whether stale bytes on disk still
  /// hold when they have a tag or a date to ask with. What is in memory answers as long as it is there,
  /// as a picture on screen does, whatever the origin said of its freshness; with `stale-while-revalidate`
  /// it is refreshed meanwhile.
  case standard
  /// The origin, whatever is cached here or on the way (`Cache-Control: no-cache`); its answer replaces what was
  /// cached.
  case reload
  /// Memory, then fresh bytes on disk; never the origin (`Cache-Control: only-if-cached`). With `max-stale` among the
  /// request's own directives also stale ones, except those whose origin forbids to use them unasked (`no-cache`,
  /// and `must-revalidate` once they are stale).
  case offline
}
