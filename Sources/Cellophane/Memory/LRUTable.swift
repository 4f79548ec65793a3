/// A hash table whose entries are also linked from most to least recently used.
///
/// Entries are stored densely in one array and linked by index. An open-addressing table of indices finds them by the hash
/// that their key stores. A hit touches one bucket and usually three adjacent entries. `@usableFromInline`, because a
/// generic table behind a module boundary is not specialized and takes three to four times as long.
@usableFromInline
struct LRUTable<Options: Hashable & Sendable, Value: Sendable> {
  @usableFromInline typealias Key = ResourceKey<Options>

  @usableFromInline
  struct Entry {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    @usableFromInline var cost: Int
    /// Nil for a value that answers until it is evicted.
    @usableFromInline var expiry: Expiry?
    /// The response from which the value was made, if known.
    @usableFromInline var response: LoadedResponse?
    // The neighbors in the order of use; `none` at its ends.
    @usableFromInline var newer: Int32
    @usableFromInline var older: Int32
  }

  /// The index of an entry with half of its hash, so that most mismatches are found without touching the entry.
  @usableFromInline
  struct Bucket {
    @usableFromInline var tag: UInt32
    @usableFromInline var index: Int32
    @inlinable init(tag: UInt32, index: Int32) {
      self.tag = tag
      self.index = index
    }
  }

  @inlinable static var none: Int32 { -1 }

  @usableFromInline var entries: [Entry] = []
  @usableFromInline var buckets = [Bucket](repeating: Bucket(tag: 0, index: -1), count: 16)
  @usableFromInline var newest: Int32 = -1
  @usableFromInline var oldest: Int32 = -1

  init() {}

  var count: Int { entries.count }

  /// Returns the index of the entry of `key`; ``none`` when it is absent. O(1).
  @inlinable
  func find(_ key: Key) -> Int32 {
    let mask = buckets.count - 1
    let tag = UInt32(truncatingIfNeeded: key.precomputedHash >> 32)
    var slot = key.precomputedHash & mask
    while true {
      let bucket = buckets[slot]
      if bucket.index < 0 { return Self.none }
      if bucket.tag == tag, entries[Int(bucket.index)].key == key { return bucket.index }
      slot = (slot + 1) & mask
    }
  }

  /// Marks the entry at `index` as the most recently used. O(1).
  @inlinable
  mutating func moveToNewest(_ index: Int32) {
    // A hit on the newest entry writes nothing.
    if index == newest { return }
    unlink(index)
    linkAsNewest(index)
  }

  @inlinable
  mutating func unlink(_ index: Int32) {
    let newer = entries[Int(index)].newer
    let older = entries[Int(index)].older
    if newer >= 0 { entries[Int(newer)].older = older } else { newest = older }
    if older >= 0 { entries[Int(older)].newer = newer } else { oldest = newer }
  }

  @inlinable
  mutating func linkAsNewest(_ index: Int32) {
    entries[Int(index)].newer = Self.none
    entries[Int(index)].older = newest
    if newest >= 0 { entries[Int(newest)].newer = index } else { oldest = index }
    newest = index
  }
}

// MARK: Changes

extension LRUTable {
  /// Adds an entry for an absent key, as the most recently used. O(1) amortized.
  mutating func insert(
    _ key: Key, _ value: Value, cost: Int, expiry: Expiry? = nil, response: LoadedResponse? = nil
  ) {
    // At most two thirds full: longer probes cost more than empty buckets.
    if (entries.count + 1) * 3 > buckets.count * 2 { grow() }
    let index = Int32(entries.count)
    entries.append(
      Entry(
        key: key, value: value, cost: cost, expiry: expiry, response: response, newer: Self.none,
        older: Self.none))
    linkAsNewest(index)
    insertBucket(of: index)
  }

  /// Removes the entry at `index`. Returns its cost. The last entry moves to `index`. O(1).
  mutating func remove(at index: Int32) -> Int {
    let cost = entries[Int(index)].cost
    unlink(index)
    clearBucket(of: index)
    let last = Int32(entries.count - 1)
    if index != last {
      let moved = bucket(of: last)
      entries[Int(index)] = entries[Int(last)]
      buckets[moved].index = index
      let newer = entries[Int(index)].newer
      let older = entries[Int(index)].older
      if newer >= 0 { entries[Int(newer)].older = index } else { newest = index }
      if older >= 0 { entries[Int(older)].newer = index } else { oldest = index }
    }
    entries.removeLast()
    return cost
  }

  private mutating func grow() {
    buckets = [Bucket](repeating: Bucket(tag: 0, index: Self.none), count: buckets.count * 2)
    for index in entries.indices { insertBucket(of: Int32(index)) }
  }

  private mutating func insertBucket(of index: Int32) {
    let hash = entries[Int(index)].key.precomputedHash
    let mask = buckets.count - 1
    var slot = hash & mask
    while buckets[slot].index >= 0 { slot = (slot + 1) & mask }
    buckets[slot] = Bucket(tag: UInt32(truncatingIfNeeded: hash >> 32), index: index)
  }

  private func bucket(of index: Int32) -> Int {
    let mask = buckets.count - 1
    var slot = entries[Int(index)].key.precomputedHash & mask
    while buckets[slot].index != index { slot = (slot + 1) & mask }
    return slot
  }

  /// Empties a bucket and moves the following buckets that probed past it back, so that no tombstones are needed
  /// (Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm R).
  private mutating func clearBucket(of index: Int32) {
    let mask = buckets.count - 1
    var hole = bucket(of: index)
    var slot = (hole + 1) & mask
    while buckets[slot].index >= 0 {
      let home = entries[Int(buckets[slot].index)].key.precomputedHash & mask
      if (slot - home) & mask >= (slot - hole) & mask {
        buckets[hole] = buckets[slot]
        hole = slot
      }
      slot = (slot + 1) & mask
    }
    buckets[hole] = Bucket(tag: 0, index: Self.none)
  }
}
