/// Which values a ``MemoryCache`` lets go first when there is no room for another.
public enum EvictionRule: String, Sendable, Hashable, CaseIterable {
  /// The least recently used leaves first.
  case lru
  /// A hand spares once what was used since it passed (Zhang et al., NSDI 2024).
  case sieve
  /// Three queues, the first of which sifts out what comes once (Yang et al., SOSP 2023).
  case s3FIFO = "s3-fifo"
  /// Recency against frequency, balanced by what comes back (Megiddo and Modha, FAST 2003).
  case arc
  /// Admission by frequency behind a window whose size adapts (Einziger et al., 2017, 2018 and 2022).
  case wTinyLFU = "w-tinylfu"
  /// What is farthest from the middle of the screen leaves first. Ours, for lists.
  case farthestRow = "farthest-row"

  /// The policy for an empty cache of `capacity` bytes; numbers outside ``EvictionLimits/capacities`` count
  /// as the nearest one.
  public func policy(capacity: Int) -> any EvictionPolicy {
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
