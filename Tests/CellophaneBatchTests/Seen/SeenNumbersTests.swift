internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("The compact set of numbers")
struct SeenNumbersTests {
  /// Ordered and random numbers, dense and sparse, in few and in many blocks.
  @Test("the set matches a `Set`", arguments: 1...4 as ClosedRange<UInt64>)
  func set(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var seen = SeenNumbers()
    var set: Set<Int> = []
    var wrong: [Int] = []
    for step in 0..<20_000 {
      let number =
        switch step % 4 {
        case 0, 1: Int(random.next() % 20_000)
        case 2: step
        default: Int(random.next() >> (random.next() % 40 + 2))
        }
      if seen.contains(number) != set.contains(number) { wrong.append(number) }
      seen.add(number)
      set.insert(number)
      if !seen.contains(number) || seen.contains(number + 1) != set.contains(number + 1) {
        wrong.append(number)
      }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
  }

  @Test func `numbers at the borders of blocks and words are found`() {
    var seen = SeenNumbers()
    let borders = [0, 63, 64, 65_535, 65_536, 1 << 32, Int.max]
    for number in 100..<5_000 { seen.add(number) }
    #expect(!borders.contains(where: seen.contains))
    for number in borders { seen.add(number) }
    #expect(borders.allSatisfy(seen.contains) && (100..<5_000).allSatisfy(seen.contains))
    #expect(![1, 62, 65, 99, 5_000, 65_534, 65_537, 1 << 32 - 1].contains(where: seen.contains))
  }
}
