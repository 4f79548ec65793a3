/// A hash table whose entries also stand in a line from most to least recently used.
///
/// Entries lie densely in one array and are linked by index; an open-addressing table of indices finds them
/// by the hash that their key carries. A hit touches one bucket and, mostly, three neighbouring entries.
/// Ours, and visible to callers' modules, because a generic table behind a module boundary is not
/// specialised and takes three to four times as long.
@usableFromInline
struct LRUTable<Options: Hashable & Sendable, Value: Sendable> {
  @usableFromInline typealias Key = ResourceKey<Options>

  @usableFromInline
  struct Entry {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    @usableFromInline var cost: Int
    // Neighbours in the line of use; `none` at its ends.
    @usableFromInline var newer: Int32
    @usableFromInline var older: Int32
  }

  /// Half of the hash beside an entry's index, so that most mismatches are seen without touching the entry.
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

  /// Where the entry of `key` is; ``none`` when there is none. O(1).
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

  /// Makes the entry at `index` the most recently used. O(1).
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
  /// Adds an entry that is not there yet, as the most recently used. O(1) amortised.
  mutating func insert(_ key: Key, _ value: Value, cost: Int) {
    // Two thirds full at most: longer probes cost more than the empty buckets.
    if (entries.count + 1) * 3 > buckets.count * 2 { grow() }
    let index = Int32(entries.count)
    entries.append(Entry(key: key, value: value, cost: cost, newer: Self.none, older: Self.none))
    linkAsNewest(index)
    place(index)
  }

  /// Takes the entry at `index` out; returns its cost. The last entry moves into its place. O(1).
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
    for index in entries.indices { place(Int32(index)) }
  }

  private mutating func place(_ index: Int32) {
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

  /// Empties a bucket and moves back those behind it that probed past it, so that no tombstones are needed
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
