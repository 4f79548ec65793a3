/// A compact set of 64-bit hashes: 16 bits are the shard of a hash, 48 bits are stored.
///
/// Among n different values, two have the same hash with a probability of about n² / 2^65: 3 in a million for
/// ten million URLs. One list of that length in 370 000 has a record that is wrongly called a duplicate.
///
/// Stored hashes never move. Arrays that grow by reallocation would fragment the memory.
package struct SeenHashes: Sendable {
  // A block: two words for the number of the previous block, then the low, the middle and the high words of
  // its hashes.
  private static let blockHashes = 16
  private static let blockWords = 2 + 3 * blockHashes
  // 100 KB per page.
  private static let pageBlocks = 1_024

  /// The number of hashes.
  private(set) var count = 0
  /// The newest block of each shard, counted from 1; 0 for none. All earlier blocks are full.
  private var newest = [UInt32](repeating: 0, count: 1 << 16)
  /// The number of hashes in the newest block of each shard.
  private var filled = [UInt8](repeating: 0, count: 1 << 16)
  private var pages: [[UInt16]] = []
  private var blocks: UInt32 = 0

  package init() {}

  /// The memory of the set, in bytes: 6.6 per hash in a large set.
  var bytes: Int {
    newest.count * 4 + filled.count + pages.count * (Self.pageBlocks * Self.blockWords * 2 + 40)
  }

  /// Adds a hash. Returns false if the set contains it. Searches the hashes of its shard: with ten million
  /// hashes, 150 of them in a kilobyte.
  package mutating func add(_ hash: UInt64) -> Bool {
    if contains(hash) { return false }
    let shard = Int(hash >> 48)
    if newest[shard] == 0 || filled[shard] == Self.blockHashes { begin(shard) }
    let (page, start) = Self.position(of: newest[shard])
    let index = start + 2 + Int(filled[shard])
    pages[page][index] = UInt16(truncatingIfNeeded: hash)
    pages[page][index + Self.blockHashes] = UInt16(truncatingIfNeeded: hash >> 16)
    pages[page][index + 2 * Self.blockHashes] = UInt16(truncatingIfNeeded: hash >> 32)
    filled[shard] += 1
    count += 1
    return true
  }

  /// Returns whether the set contains a hash.
  package func contains(_ hash: UInt64) -> Bool {
    let shard = Int(hash >> 48)
    let low = UInt16(truncatingIfNeeded: hash)
    var block = newest[shard]
    var length = Int(filled[shard])
    while block != 0 {
      let (number, start) = Self.position(of: block)
      let page = pages[number]
      let words = page.span.extracting(start..<start + Self.blockWords)
      for index in 2..<2 + length where words[index] == low {
        if words[index + Self.blockHashes] == UInt16(truncatingIfNeeded: hash >> 16),
          words[index + 2 * Self.blockHashes] == UInt16(truncatingIfNeeded: hash >> 32)
        {
          return true
        }
      }
      block = UInt32(words[0]) << 16 | UInt32(words[1])
      length = Self.blockHashes
    }
    return false
  }

  /// Adds a block to a shard. The maximum of 2^32 blocks is enough for 68 billion (6.8 · 10¹⁰) hashes.
  private mutating func begin(_ shard: Int) {
    if Int(blocks) == pages.count * Self.pageBlocks {
      pages.append([UInt16](repeating: 0, count: Self.pageBlocks * Self.blockWords))
    }
    blocks += 1
    let (page, start) = Self.position(of: blocks)
    pages[page][start] = UInt16(truncatingIfNeeded: newest[shard] >> 16)
    pages[page][start + 1] = UInt16(truncatingIfNeeded: newest[shard])
    (newest[shard], filled[shard]) = (blocks, 0)
  }

  private static func position(of block: UInt32) -> (page: Int, start: Int) {
    let (page, number) = Int(block - 1).quotientAndRemainder(dividingBy: pageBlocks)
    return (page, number * blockWords)
  }
}
