internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Hosts with failures")
struct HostFailuresTests {
  @Test func `hosts are sorted by failures, then by name`() {
    var hosts = HostFailures()
    for name in ["b", "a", "c", "c", "b", "c"] { hosts.count(name) }
    #expect(hosts.worst.map(\.host) == ["c", "b", "a"] && hosts.worst.map(\.failures) == [3, 2, 1])
    #expect(hosts.total == 6 && hosts.count == 3)
    for number in 0..<20 { hosts.count("h\(number)") }
    #expect(hosts.worst.count == 10)
  }

  @Test(
    "a host with many failures is found among thousands, in constant memory",
    arguments: 1...3 as ClosedRange<UInt64>)
  func many(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var hosts = HostFailures()
    var failures = 0
    for number in 0..<20_000 {
      let isBad = random.next() % 20 == 0
      if isBad { failures += 1 }
      hosts.count(isBad ? "bad" : "h\(number)")
    }
    let found = hosts.worst[0]
    #expect(found.host == "bad" && found.failures <= failures, "seed \(seed)")
    #expect(found.failures >= failures - 20_000 / (HostFailures.most + 1), "seed \(seed)")
    #expect(hosts.total == 20_000 && hosts.count == nil, "seed \(seed)")
  }
}
