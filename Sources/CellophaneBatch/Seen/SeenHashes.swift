/// Which hashes were there before, in the least memory: of each, 64 bits are told apart, 16 by the shard that it is in
/// and 48 that are kept.
///
/// Among n different ones, two are taken for the same with a probability of about n² / 2^65: 3 in a million for ten
/// million URLs. One list of that length in 370 000 has a line that is called a duplicate and is none.
///
/// What is kept never moves: memory that is given back while others grow has holes that nobody fits into.
package struct SeenHashes: Sendable {
  // Three words a hash, one behind the other by their kind, behind two for the number of the block before.
  private static let blockHashes = 16
  private static let blockWords = 2 + 3 * blockHashes
  // 100 KB a page.
  private static let pageBlocks = 1_024

  /// How many are there.
  private(set) var count = 0
  /// The newest block of each shard, counted from 1; 0 for none. Those before it are full.
  private var newest = [UInt32](repeating: 0, count: 1 << 16)
  /// How many hashes are in it.
  private var filled = [UInt8](repeating: 0, count: 1 << 16)
  private var pages: [[UInt16]] = []
  private var blocks: UInt32 = 0

  package init() {}

  /// The bytes that they take: 6.6 each, once there are many.
  var bytes: Int {
    newest.count * 4 + filled.count + pages.count * (Self.pageBlocks * Self.blockWords * 2 + 40)
  }

  /// Adds a hash; false when it was there. It is looked for among those of its shard: 150 of ten million, in a kilobyte.
  package mutating func add(_ hash: UInt64) -> Bool {
    if contains(hash) { return false }
    let shard = Int(hash >> 48)
    if newest[shard] == 0 || filled[shard] == Self.blockHashes { begin(shard) }
    let (page, start) = Self.place(of: newest[shard])
    let index = start + 2 + Int(filled[shard])
    pages[page][index] = UInt16(truncatingIfNeeded: hash)
    pages[page][index + Self.blockHashes] = UInt16(truncatingIfNeeded: hash >> 16)
    pages[page][index + 2 * Self.blockHashes] = UInt16(truncatingIfNeeded: hash >> 32)
    filled[shard] += 1
    count += 1
    return true
  }

  /// Whether a hash is there.
  package func contains(_ hash: UInt64) -> Bool {
    let shard = Int(hash >> 48)
    let low = UInt16(truncatingIfNeeded: hash)
    var block = newest[shard]
    var length = Int(filled[shard])
    while block != 0 {
      let (number, start) = Self.place(of: block)
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

  /// Gives a shard another block. There are at most 2^32, for 68 thousand million hashes.
  private mutating func begin(_ shard: Int) {
    if Int(blocks) == pages.count * Self.pageBlocks {
      pages.append([UInt16](repeating: 0, count: Self.pageBlocks * Self.blockWords))
    }
    blocks += 1
    let (page, start) = Self.place(of: blocks)
    pages[page][start] = UInt16(truncatingIfNeeded: newest[shard] >> 16)
    pages[page][start + 1] = UInt16(truncatingIfNeeded: newest[shard])
    (newest[shard], filled[shard]) = (blocks, 0)
  }

  private static func place(of block: UInt32) -> (page: Int, start: Int) {
    let (page, number) = Int(block - 1).quotientAndRemainder(dividingBy: pageBlocks)
    return (page, number * blockWords)
  }
}
