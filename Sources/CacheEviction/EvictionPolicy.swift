/// A policy that decides which keys a cache of limited size keeps. It is a deterministic value without clock
/// or randomness: the same requests in the same order always keep the same keys.
///
/// A policy has keys and costs, not values. The owner of the values, ``MemoryCache`` or a simulation, drops
/// the values of evicted keys.
package protocol EvictionPolicy: Sendable {
  /// The maximum total cost of the cached keys, in bytes.
  var capacity: Int { get }

  /// The total cost of the cached keys, in bytes; at most ``capacity``.
  var cost: Int { get }

  /// Returns whether the request's key is cached and marks it as used. O(1) unless the policy states
  /// otherwise.
  mutating func use(_ request: CacheRequest) -> Bool

  /// Inserts a key that is not cached, after ``use(_:)`` returned false or when its value arrives later.
  ///
  /// - Returns: The evicted keys in order, including the inserted key if it is not admitted. A key that costs
  ///   more than the capacity is never admitted. Amortized O(1) per evicted key, unless the policy states
  ///   otherwise.
  mutating func insert(_ request: CacheRequest) -> [Int]

  /// Removes a cached key whose value is gone; ignores other keys. O(1) unless the policy states otherwise.
  mutating func remove(_ key: Int)

  /// Evicts keys until the cached ones cost at most `cost`, as if another key needed the space.
  ///
  /// - Returns: The evicted keys in order. Amortized O(1) per key, unless the policy states otherwise.
  mutating func evict(to cost: Int) -> [Int]

  /// Changes the capacity. A value outside ``EvictionLimits/capacities`` is clamped.
  ///
  /// - Returns: The evicted keys in order.
  mutating func resize(to capacity: Int) -> [Int]
}

/// One request to a cache.
package struct CacheRequest: Sendable, Hashable {
  /// The requested key.
  package let key: Int
  /// The memory of the value in bytes; at least 1.
  package let cost: Int
  /// The row that requests the value, from 0; 0 without a list.
  package let row: Int
  /// The row in the middle of the screen at the time of the request, from 0; 0 without a list.
  package let position: Int

  /// Creates a request. A cost below 1 is raised to 1, so that no value is free and no sum of costs is 0.
  /// Rows are clamped to 32 bits.
  package init(key: Int, cost: Int, row: Int = 0, position: Int = 0) {
    self.key = key
    self.cost = max(1, cost)
    self.row = Int(Int32(clamping: row))
    self.position = Int(Int32(clamping: position))
  }
}

/// The limits that all eviction policies share.
package enum EvictionLimits {
  /// The valid capacities in bytes. The maximum is an exbibyte, so that twice the capacity, the size of ARC's
  /// history, does not overflow.
  package static let capacities = 0...(1 << 60)

  package static func capacity(_ capacity: Int) -> Int {
    min(max(capacity, capacities.lowerBound), capacities.upperBound)
  }
}
