/// Decides what a cache of a limited size keeps. A value without time or chance: the same requests in the
/// same order always leave the same keys.
///
/// A policy knows keys and costs, not values; who holds the values, ``MemoryCache`` or a simulation, drops those whose
/// keys leave.
public protocol EvictionPolicy: Sendable {
  /// The most that the kept keys may cost together, in bytes.
  var capacity: Int { get }

  /// What the kept keys cost together, in bytes; never more than ``capacity``.
  var cost: Int { get }

  /// Whether the request's key is kept; if so, it was used now. O(1) unless the policy says otherwise.
  mutating func use(_ request: CacheRequest) -> Bool

  /// Takes in a key that is not kept, because ``use(_:)`` just said so or its value arrived later.
  ///
  /// - Returns: The keys that leave, in that order; the request's own among them when it is not admitted. A
  ///   key that costs more than the capacity never is. O(1) amortised for each key that leaves, unless the
  ///   policy says otherwise.
  mutating func insert(_ request: CacheRequest) -> [Int]

  /// Forgets a key that is kept, because its value is gone; others are ignored. O(1) unless the policy says otherwise.
  mutating func remove(_ key: Int)

  /// Gives up keys until those kept cost at most `cost`, as if room was needed for another.
  ///
  /// - Returns: The keys that leave, in that order. O(1) amortised for each, unless the policy says otherwise.
  mutating func evict(to cost: Int) -> [Int]

  /// Changes the capacity. A number outside ``EvictionLimits/capacities`` counts as the nearest one.
  ///
  /// - Returns: The keys that leave, in that order.
  mutating func resize(to capacity: Int) -> [Int]
}

/// One request to a cache.
public struct CacheRequest: Sendable, Hashable {
  /// What is asked for.
  public let key: Int
  /// What it takes to keep, in bytes; at least 1.
  public let cost: Int
  /// The row that it is for, from 0; 0 without a list.
  public let row: Int
  /// The row in the middle of the screen at that time, from 0; 0 without a list.
  public let position: Int

  /// A request. A cost below 1 counts as 1, so that nothing is kept for free and no sum of costs is 0; a row
  /// outside of 32 bits counts as the nearest one.
  public init(key: Int, cost: Int, row: Int = 0, position: Int = 0) {
    self.key = key
    self.cost = max(1, cost)
    self.row = Int(Int32(clamping: row))
    self.position = Int(Int32(clamping: position))
  }
}

/// The numbers that every eviction policy shares.
public enum EvictionLimits {
  /// The capacities that a policy accepts, in bytes. An exbibyte: twice as much, what ARC remembers, still
  /// is a number.
  public static let capacities = 0...(1 << 60)

  package static func capacity(_ capacity: Int) -> Int {
    min(max(capacity, capacities.lowerBound), capacities.upperBound)
  }
}
