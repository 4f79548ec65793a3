/// The rule by which a ``MemoryCache`` chooses the values to evict.
public enum EvictionRule: String, Sendable, Hashable, CaseIterable {
  /// Evicts the least recently used value first.
  case lru
  /// SIEVE: a moving hand skips values that were used since it last passed (Zhang et al., NSDI 2024).
  case sieve
  /// S3-FIFO: three queues; the first filters values that are used once (Yang et al., SOSP 2023).
  case s3FIFO = "s3-fifo"
  /// ARC: balances recency and frequency by the evicted keys that return (Megiddo and Modha, FAST 2003).
  case arc
  /// W-TinyLFU: admission by frequency after a window of adaptive size (Einziger et al., 2017, 2018 and
  /// 2022).
  case wTinyLFU = "w-tinylfu"
  /// Evicts the value farthest from the middle of the screen first. Designed for lists in this project.
  case farthestRow = "farthest-row"

  /// Returns the policy for an empty cache of `capacity` bytes, clamped to ``EvictionLimits/capacities``.
  package func policy(capacity: Int) -> any EvictionPolicy {
    switch self {
    case .lru: LRUPolicy(capacity: capacity)
    case .sieve: SievePolicy(capacity: capacity)
    case .s3FIFO: S3FIFOPolicy(capacity: capacity)
    case .arc: ARCPolicy(capacity: capacity)
    case .wTinyLFU: WTinyLFUPolicy(capacity: capacity)
    case .farthestRow: FarthestRowPolicy(capacity: capacity)
    }
  }
}
