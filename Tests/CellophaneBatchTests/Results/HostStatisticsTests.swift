internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneBatch

@Suite("Statistics of each host")
struct HostStatisticsTests {
  /// Counts a fetched result of `bytes` bytes.
  private func count(_ host: String, bytes: Int = 1, in statistics: inout HostStatistics) {
    var result = BatchResult(ListRecord(position: 0, line: 1, url: "http://\(host)/", end: 0))
    (result.outcome, result.bytes) = (.fetched, bytes)
    statistics.count(result, at: host, HostPoliteness(limit: 4))
  }

  private func json(_ statistics: HostStatistics) throws -> [String: Any] {
    let bytes = try JSONEncoder().encode(statistics)
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  @Test func `statistics without records name no hosts`() throws {
    let json = try json(HostStatistics())
    #expect(json["count"] as? Int == 0 && json["others"] == nil)
  }

  @Test func `the busiest hosts come first, then by name, and all others are summed up`() throws {
    var statistics = HostStatistics()
    for number in 0..<200 {
      for _ in 0...number % 3 { count("h\(number)", bytes: 10, in: &statistics) }
    }
    #expect(statistics.count == 200)
    #expect(statistics.busiest(2).map(\.name) == ["h101", "h104"])
    let json = try json(statistics)
    let busiest = try #require(json["busiest"] as? [[String: Any]])
    let others = try #require(json["others"] as? [String: Int])
    #expect(busiest.count == 100 && others["hosts"] == 100)
    let records = busiest.reduce(0) { $0 + ($1["lines"] as? Int ?? 0) } + (others["lines"] ?? 0)
    #expect(records == 67 + 67 * 2 + 66 * 3)
    #expect(busiest.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } + (others["bytes"] ?? 0) == records * 10)
  }

  @Test(
    "a busy host is found among many thousands, in constant memory", arguments: 1...3 as ClosedRange<UInt64>)
  func many(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var statistics = HostStatistics()
    var records = ["busy": 0, "late": 0]
    let all = 120_000
    for number in 0..<all {
      // Each has a hundredth of all records, one of them only in the last third.
      let host =
        switch random.next() % 100 {
        case 0: "busy"
        case 1 where number > all * 2 / 3: "late"
        default: "h\(number)"
        }
      records[host]? += 1
      count(host, in: &statistics)
    }
    let found = Dictionary(
      uniqueKeysWithValues: statistics.busiest(2).map { ($0.name, $0.host.sums.records) })
    for (name, count) in records {
      let counted = try #require(found[name], "seed \(seed): \(name)")
      #expect(counted <= count && counted >= count - all / (HostStatistics.most / 2), "seed \(seed)")
    }
    #expect(statistics.busiest(.max).count <= HostStatistics.most)
    let others = try #require(try json(statistics)["others"] as? [String: Int])
    let named = statistics.busiest(100).reduce(0) { $0 + $1.host.sums.records }
    #expect(named + (others["lines"] ?? 0) == all && statistics.records == all, "seed \(seed)")
  }
}
