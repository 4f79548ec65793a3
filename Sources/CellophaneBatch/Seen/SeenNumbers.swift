/// Which numbers were there before, in the least memory: a bit each where they are dense, as the lines of a list are, and
/// two to four bytes each where they are not, as those of a shard of a longer list are.
///
/// Numbers that differ only in their lowest 16 bits share a block, which is a list of them until a bit for each that there
/// may be takes less (Chambi and others, "Better bitmap performance with Roaring bitmaps", 2016).
package struct SeenNumbers: Sendable {
  private enum Block {
    /// In order.
    case few([UInt16])
    case many([UInt64])
  }

  // More take as much as a bit for each.
  private static let mostFew = 4_096

  private var blocks: [Int: Block] = [:]

  package init() {}

  /// Adds a number, which is not negative.
  package mutating func add(_ number: Int) {
    Self.add(UInt16(truncatingIfNeeded: number), to: &blocks[number >> 16, default: .few([])])
  }

  /// Whether a number is there.
  package func contains(_ number: Int) -> Bool {
    let low = UInt16(truncatingIfNeeded: number)
    switch blocks[number >> 16] {
    case nil: return false
    case .few(let numbers):
      let place = Self.place(of: low, in: numbers)
      return place < numbers.count && numbers[place] == low
    case .many(let words): return words[Int(low >> 6)] & 1 << (low & 63) != 0
    }
  }

  private static func add(_ low: UInt16, to block: inout Block) {
    switch block {
    case .few(var numbers):
      // Or it would be copied.
      block = .few([])
      let place = place(of: low, in: numbers)
      if place == numbers.count || numbers[place] != low { numbers.insert(low, at: place) }
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

  /// Where `low` is, or would be.
  private static func place(of low: UInt16, in numbers: [UInt16]) -> Int {
    // Most come in order.
    if numbers.last.map({ $0 < low }) ?? true { return numbers.count }
    var (first, end) = (0, numbers.count)
    while first < end {
      let middle = (first + end) / 2
      if numbers[middle] < low { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
