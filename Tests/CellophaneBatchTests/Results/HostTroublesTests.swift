internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Hosts with trouble")
struct HostTroublesTests {
  @Test func `the worst come first, then by name`() {
    var troubles = HostFailures()
    for host in ["b", "a", "c", "c", "b", "c"] { troubles.count(host) }
    #expect(troubles.worst.map(\.host) == ["c", "b", "a"] && troubles.worst.map(\.failures) == [3, 2, 1])
    for number in 0..<20 { troubles.count("h\(number)") }
    #expect(troubles.worst.count == 10)
  }

  @Test("A bad host is seen among however many, in constant memory", arguments: 1...3 as ClosedRange<UInt64>)
  func many(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var troubles = HostFailures()
    var failures = 0
    for number in 0..<20_000 {
      let isBad = random.next() % 20 == 0
      if isBad { failures += 1 }
      troubles.count(isBad ? "bad" : "h\(number)")
    }
    let found = troubles.worst[0]
    #expect(found.host == "bad" && found.failures <= failures, "seed \(seed)")
    #expect(found.failures >= failures - 20_000 / (HostFailures.most + 1), "seed \(seed)")
  }
}
