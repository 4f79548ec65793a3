internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("The compact set of hashes")
struct SeenHashesTests {
  /// Hashes that differ in few bits, so that many of them share a shard.
  @Test("the set matches a `Set`", arguments: 1...4 as ClosedRange<UInt64>)
  func set(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let masks: [UInt64] = [
      0xFF, 0x3FF << 38, 0x7 << 60 | 0x3F, 0xFFFF << 48, 0xFFF << 32, 0x3 << 48 | 0xFF << 20, 1, .max,
    ]
    var seen = SeenHashes()
    var set: Set<UInt64> = []
    var wrong: [UInt64] = []
    for _ in 0..<4_000 {
      let hash = random.next() & masks[Int(random.next() % UInt64(masks.count))]
      let isKnown = seen.contains(hash)
      let (isNew, isNewToSet) = (seen.add(hash), set.insert(hash).inserted)
      if isKnown == isNewToSet || isNew != isNewToSet || !seen.contains(hash) { wrong.append(hash) }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
    #expect(seen.count == set.count)
  }

  @Test func `zero is a valid hash`() {
    var seen = SeenHashes()
    let hashes: [UInt64] = [0, 0, 1 << 48, 0, 1 << 48]
    #expect(!seen.contains(0) && !seen.contains(1 << 48))
    #expect(hashes.map { seen.add($0) } == [true, false, true, false, false])
    #expect(seen.contains(0) && seen.contains(1 << 48) && seen.count == 2)
  }

  @Test("one shard holds as many hashes as in a set of a hundred million")
  func oneShard() {
    var seen = SeenHashes()
    let hashes = (1...1_500).map { UInt64($0) << 20 | 5 }
    #expect(hashes.map { seen.add($0) }.allSatisfy(\.self) && !hashes.map { seen.add($0) }.contains(true))
    #expect(hashes.allSatisfy { seen.contains($0) } && !seen.contains(1 << 20) && !seen.contains(5))
    #expect(seen.count == 1_500)
  }

  /// Fills a hundredth of the shards as ten million hashes would.
  @Test func `ten million hashes take less than 70 MB`() {
    var random = SplitMix64(seed: 7)
    var seen = SeenHashes()
    let empty = seen.bytes
    for _ in 0..<100_000 { _ = seen.add(random.next() % (656 << 48)) }
    #expect(seen.count == 100_000 && empty < 1 << 19)
    // The last page of 100 KB may be almost empty.
    #expect(Double(seen.bytes - empty - 102_400) / 100_000 < 7, "\(seen.bytes)")
  }
}
