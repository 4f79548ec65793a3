internal import Testing

@testable internal import CellophaneBatch

@Suite("Hashes that were there")
struct SeenHashesTests {
  /// Numbers of which few bits differ, so that shards and slots are shared.
  @Test("as a set knows them", arguments: 1...4 as ClosedRange<UInt64>)
  func set(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let masks: [UInt64] = [
      0xFF, 0x3FF << 38, 0x7 << 60 | 0x3F, 0xFFFF << 48, 0xFFF << 32, 0x3 << 48 | 0xFF << 20, 1, .max,
    ]
    var seen = SeenHashes()
    var set: Set<UInt64> = []
    var wrong: [UInt64] = []
    for _ in 0..<4_000 {
      let hash = random.next() & masks[Int(random.next() % UInt64(masks.count))]
      // The one remainder that cannot be told from another.
      if hash & (1 << 48 - 1) == 0 { continue }
      let isKnown = seen.contains(hash)
      let (isNew, isNewToSet) = (seen.add(hash), set.insert(hash).inserted)
      if isKnown == isNewToSet || isNew != isNewToSet || !seen.contains(hash) { wrong.append(hash) }
    }
    #expect(wrong.isEmpty, "seed \(seed)")
    #expect(seen.count == set.count)
  }

  @Test func `zero is a hash like others`() {
    var seen = SeenHashes()
    let hashes: [UInt64] = [0, 0, 1 << 48, 0, 1 << 48]
    #expect(!seen.contains(0) && !seen.contains(1 << 48))
    #expect(hashes.map { seen.add($0) } == [true, false, true, false, false])
    #expect(seen.contains(0) && seen.contains(1 << 48) && seen.count == 2)
  }

  @Test func `a shard that is full of one place finds all of them`() {
    var seen = SeenHashes()
    // The home is told by the upper bits of the remainder, the same for all.
    let hashes = Array(1...500 as ClosedRange<UInt64>)
    #expect(
      hashes.allSatisfy { seen.contains($0) } == false && hashes.map { seen.add($0) }.allSatisfy(\.self))
    #expect(hashes.allSatisfy { seen.contains($0) } && !hashes.map { seen.add($0) }.contains(true))
    #expect(!seen.contains(501) && seen.count == 500)
  }

  /// In one shard of 65 536, as many as in it of ten million, and up to there.
  @Test func `ten million take less than 80 MB`() {
    var random = SplitMix(seed: 7)
    var seen = SeenHashes()
    let empty = seen.bytes
    var most = 0.0
    for number in 1...153 {
      _ = seen.add(random.next() >> 16)
      if number > 100 { most = max(most, Double(seen.bytes - empty) / Double(number)) }
    }
    #expect(most * 10_000_000 < 80_000_000, "\(most) bytes each")
    #expect(seen.count == 153 && empty <= 1 << 20)
  }
}
