/// The caches that may answer a request.
///
/// The request's `Cache-Control` may restrict this (`only-if-cached`, `no-store`, `max-age`, `min-fresh`) or
/// extend it (`max-stale`, `stale-if-error`).
public enum CachePolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// Memory, then fresh responses on disk, then the origin.
  ///
  /// A stale response on disk is validated if it has an entity tag or a modification date. With
  /// ``MemoryReuse/untilEvicted``, the default, a value in memory answers until it is evicted, regardless of
  /// the response's freshness. With `stale-while-revalidate` it is refreshed in the background.
  case standard
  /// The origin, regardless of caches here or on the path to the origin (`Cache-Control: no-cache`). The
  /// response replaces cached ones.
  case reload
  /// Memory, then fresh responses on disk; never the origin (`Cache-Control: only-if-cached`).
  ///
  /// With the request directive `max-stale` stale responses are included, unless they must be validated
  /// before use (`no-cache`, and `must-revalidate` once stale).
  case offline
}
