/// Which hashes were there before, in the least memory: of each, 64 bits are told apart, 16 by the shard that it is in
/// and 48 that are kept.
///
/// Among n different ones, two are taken for the same with a probability of about n² / 2^65: 3 in a million for ten
/// million URLs. One list of that length in 370 000 has a line that is called a duplicate and is none.
struct SeenHashes: Sendable {
  /// Each grows by itself: growing takes the memory of one shard twice, and never that of all.
  private var shards = [Shard](repeating: Shard(), count: 1 << 16)

  init() {}

  /// How many are there.
  var count: Int { shards.reduce(0) { $0 + $1.count } }

  /// The bytes that they take: 7.4 each, once there are many.
  var bytes: Int { shards.reduce(0) { $0 + $1.bytes } }

  /// Adds a hash; false when it was there. Constant; 12 slots are looked at on average, 36 at most loads.
  mutating func add(_ hash: UInt64) -> Bool { shards[Int(hash >> 48)].add(Remainder(hash)) }

  /// Whether a hash is there.
  func contains(_ hash: UInt64) -> Bool { shards[Int(hash >> 48)].slot(of: Remainder(hash)).isTaken }
}

extension SeenHashes {
  /// The lower 48 bits of a hash. None is zero, which an empty slot is; two that would be are one.
  private struct Remainder {
    let high: UInt16
    let middle: UInt16
    let low: UInt16

    init(_ hash: UInt64) {
      let bits = max(hash & (1 << 48 - 1), 1)
      high = UInt16(truncatingIfNeeded: bits >> 32)
      middle = UInt16(truncatingIfNeeded: bits >> 16)
      low = UInt16(truncatingIfNeeded: bits)
    }

    init(_ words: ArraySlice<UInt16>) {
      (high, middle, low) = (
        words[words.startIndex], words[words.startIndex + 1], words[words.startIndex + 2]
      )
    }

    /// Where it belongs among so many slots: its share of them, which a multiplication finds.
    func home(among slots: Int) -> Int { Int((UInt64(high) << 16 | UInt64(middle)) * UInt64(slots) >> 32) }
  }

  /// An open-addressing table with linear probing.
  private struct Shard: Sendable {
    private(set) var count = 0
    /// Three words a slot.
    private var words: [UInt16] = []

    init() {}

    // An array has 32 bytes in front of its elements.
    var bytes: Int { MemoryLayout<Shard>.stride + (words.isEmpty ? 0 : 32 + words.count * 2) }

    /// The slot where `remainder` is, or would be.
    func slot(of remainder: Remainder) -> (index: Int, isTaken: Bool) {
      if words.isEmpty { return (0, false) }
      var index = remainder.home(among: words.count / 3) * 3
      while true {
        let (high, middle, low) = (words[index], words[index + 1], words[index + 2])
        if low == remainder.low, middle == remainder.middle, high == remainder.high { return (index, true) }
        if low | middle | high == 0 { return (index, false) }
        index += 3
        if index == words.count { index = 0 }
      }
    }

    mutating func add(_ remainder: Remainder) -> Bool {
      if slot(of: remainder).isTaken { return false }
      // 7/8 full: the memory of fuller tables is hardly less, and misses take several times as long.
      if (count + 1) * 24 > words.count * 7 { grow() }
      put(remainder)
      count += 1
      return true
    }

    private mutating func put(_ remainder: Remainder) {
      let (index, _) = slot(of: remainder)
      (words[index], words[index + 1], words[index + 2]) = (remainder.high, remainder.middle, remainder.low)
    }

    /// By an eighth: a table has room for an eighth more than it needs at most.
    private mutating func grow() {
      let former = words
      let slots = former.count / 3
      words = [UInt16](repeating: 0, count: 3 * (slots + max(8, slots / 8)))
      for index in stride(from: 0, to: former.count, by: 3) where former[index..<index + 3] != [0, 0, 0] {
        put(Remainder(former[index..<index + 3]))
      }
    }
  }
}
