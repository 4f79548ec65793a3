/// A compact set of numbers: one bit per number if they are dense, as in a complete list, and two to four
/// bytes if they are sparse, as in one shard of a longer list.
///
/// Numbers that differ only in their lowest 16 bits share a block. A block is a sorted list until a bitmap
/// takes less (Chambi and others, "Better bitmap performance with Roaring bitmaps", 2016).
package struct SeenNumbers: Sendable {
  private enum Block {
    /// A sorted list.
    case few([UInt16])
    /// A bitmap.
    case many([UInt64])
  }

  // A list of 4 096 numbers takes as much memory as a bitmap.
  private static let mostFew = 4_096

  private var blocks: [Int: Block] = [:]

  package init() {}

  /// Adds a number. It must not be negative.
  package mutating func add(_ number: Int) {
    Self.add(UInt16(truncatingIfNeeded: number), to: &blocks[number >> 16, default: .few([])])
  }

  /// Returns whether the set contains a number.
  package func contains(_ number: Int) -> Bool {
    let low = UInt16(truncatingIfNeeded: number)
    switch blocks[number >> 16] {
    case nil: return false
    case .few(let numbers):
      let index = Self.position(of: low, in: numbers)
      return index < numbers.count && numbers[index] == low
    case .many(let words): return words[Int(low >> 6)] & 1 << (low & 63) != 0
    }
  }

  private static func add(_ low: UInt16, to block: inout Block) {
    switch block {
    case .few(var numbers):
      // Otherwise the array would be copied.
      block = .few([])
      let index = position(of: low, in: numbers)
      if index == numbers.count || numbers[index] != low { numbers.insert(low, at: index) }
      guard numbers.count > mostFew else { return block = .few(numbers) }
      var words = [UInt64](repeating: 0, count: 1 << 10)
      for number in numbers { words[Int(number >> 6)] |= 1 << (number & 63) }
      block = .many(words)
    case .many(var words):
      block = .few([])
      words[Int(low >> 6)] |= 1 << (low & 63)
      block = .many(words)
    }
  }

  /// Returns the index of `low`, or the index at which to insert it.
  private static func position(of low: UInt16, in numbers: [UInt16]) -> Int {
    // Fast path: most numbers arrive in order.
    if numbers.last.map({ $0 < low }) ?? true { return numbers.count }
    var (first, end) = (0, numbers.count)
    while first < end {
      let middle = (first + end) / 2
      if numbers[middle] < low { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
