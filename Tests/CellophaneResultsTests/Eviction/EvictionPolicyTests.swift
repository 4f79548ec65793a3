@testable import CacheEviction
@testable import CellophaneResults
internal import TestSupport
import Testing

@Suite(.thorough)
struct EvictionPolicyTests {
  @Test func `the references contain all traces`() {
    #expect(EvictionReferences.all.traces.map(\.runs.count) == [4, 2, 2, 3, 3, 3])
    #expect(EvictionReferences.all.traces.allSatisfy { $0.keys.count >= 2000 })
  }

  @Test(arguments: EvictionRule.allCases, EvictionReferences.all.traces)
  func `a policy hits at the same requests as its reference`(rule: EvictionRule, reference: ReferenceTrace)
    throws
  {
    let trace = try reference.trace()
    for run in reference.runs {
      let expected = run.hits(of: rule, count: trace.requests.count)
      var hits: [Bool] = []
      let score = trace.score(of: rule.policy(capacity: run.capacity)) { hits.append($1) }
      let firstDifference = zip(hits, expected).enumerated().first { $1.0 != $1.1 }?.offset
      #expect(expected.count == trace.requests.count, "capacity \(run.capacity)")
      #expect(firstDifference == nil, "capacity \(run.capacity)")
      #expect(score.hits == expected.count { $0 }, "capacity \(run.capacity)")
      #expect(score.requests == trace.requests.count)
    }
  }

  @Test(arguments: EvictionRule.allCases)
  func `a policy keeps the inserted keys that it has not evicted, within its capacity`(rule: EvictionRule)
    throws
  {
    for seed in 0..<60 as Range<UInt64> {
      let draw = SeededDraw(seed: seed)
      let capacity = Int(draw.bits("capacity", 0) % 200)
      var policy = rule.policy(capacity: capacity)
      var kept: [Int: Int] = [:]
      for request in RandomTrace.requests(count: 600, seed: seed) {
        let isHit = policy.use(request)
        #expect(isHit == (kept[request.key] != nil), "seed \(seed)")
        if !isHit {
          kept[request.key] = request.cost
          let evicted = policy.insert(request)
          for key in evicted { #expect(kept.removeValue(forKey: key) != nil, "seed \(seed)") }
        }
        #expect(policy.cost == kept.values.reduce(0, +), "seed \(seed)")
        #expect(policy.cost <= capacity, "seed \(seed)")
      }
    }
  }

  /// Values are also removed, the cache is trimmed, and its capacity changes.
  @Test(arguments: EvictionRule.allCases)
  func `removing, trimming and resizing keep the policy and its keys consistent`(rule: EvictionRule) {
    for seed in 0..<20 as Range<UInt64> {
      let draw = SeededDraw(seed: seed)
      var policy = rule.policy(capacity: 200)
      var kept: [Int: Int] = [:]
      for (number, request) in RandomTrace.requests(count: 600, seed: seed).enumerated() {
        var evicted: [Int] = []
        var limit = Int.max
        switch draw.bits("what", number) % 20 {
        case 0:
          policy.remove(request.key)
          kept[request.key] = nil
        case 1:
          limit = Int(draw.bits("trim", number) % 250)
          evicted = policy.evict(to: limit)
          if kept.values.reduce(0, +) <= limit { #expect(evicted.isEmpty, "seed \(seed)") }
        case 2:
          evicted = policy.resize(to: Int(draw.bits("size", number) % 300))
        default:
          let isHit = policy.use(request)
          if isHit != (kept[request.key] != nil) { Issue.record("seed \(seed), request \(number)") }
          if !isHit {
            kept[request.key] = request.cost
            evicted = policy.insert(request)
          }
        }
        let unknownKeys = evicted.count { kept.removeValue(forKey: $0) == nil }
        guard unknownKeys == 0, policy.cost == kept.values.reduce(0, +),
          policy.cost <= min(policy.capacity, limit)
        else {
          Issue.record(
            "\(unknownKeys) unknown keys evicted, or cost \(policy.cost) is wrong: seed \(seed), request \(number)"
          )
          return
        }
      }
      _ = policy.evict(to: .min)
      #expect(policy.cost == 0)
    }
  }

  @Test(arguments: EvictionRule.allCases)
  func `a policy evicts nothing within its capacity`(rule: EvictionRule) {
    // A cost of 1000 is 1 % of the capacity: the window of W-TinyLFU holds each value.
    var policy = rule.policy(capacity: 100_000)
    for key in 0..<50 {
      #expect(policy.insert(CacheRequest(key: key, cost: 1000)) == [])
    }
    #expect(policy.cost == 50_000)
    let hits = (0..<50).count { policy.use(CacheRequest(key: $0, cost: 1000)) }
    #expect(hits == 50)
  }

  @Test(arguments: EvictionRule.allCases)
  func `a value that costs more than the capacity is refused and evicts nothing`(rule: EvictionRule) {
    var policy = rule.policy(capacity: 10)
    // The main part of W-TinyLFU has a capacity of 9.
    #expect(policy.insert(CacheRequest(key: 1, cost: 9)) == [])
    #expect(policy.insert(CacheRequest(key: 2, cost: 11)) == [2])
    #expect(policy.insert(CacheRequest(key: 3, cost: .max)) == [3])
    let isHit = policy.use(CacheRequest(key: 1, cost: 9))
    #expect(isHit)
    #expect(policy.cost == 9)
  }

  @Test(arguments: EvictionRule.allCases, [Int.min, -1, 0, 1, 2, EvictionLimits.capacities.upperBound, .max])
  func `every integer is accepted as a capacity`(rule: EvictionRule, capacity: Int) {
    var policy = rule.policy(capacity: capacity)
    #expect(policy.capacity == min(max(0, capacity), 1 << 60))
    let costs = [1, 0, .min, 1 << 59, (1 << 60) - 1, .max, 1 << 58, 1]
    for round in 0..<40 {
      let request = CacheRequest(
        key: round % 11 - 5, cost: costs[round % costs.count], row: [.min, .max, 0][round % 3],
        position: [.max, .min][round % 2])
      if !policy.use(request) { _ = policy.insert(request) }
      #expect((0...policy.capacity).contains(policy.cost))
    }
  }

  @Test func `in the references, farthest-row has the hits of LRU if a trace has no rows`() throws {
    for reference in EvictionReferences.all.traces where reference.rows == nil {
      for run in reference.runs {
        #expect(run.hits["farthest-row"] == run.hits["lru"], "\(reference)")
      }
    }
  }

  @Test func `the farthest-row policy keeps rows near the screen in both directions`() {
    var policy = FarthestRowPolicy(capacity: 3)
    func request(_ row: Int, at position: Int) -> CacheRequest {
      CacheRequest(key: row, cost: 1, row: row, position: position)
    }
    for row in [5, 6, 7] { #expect(policy.insert(request(row, at: 6)) == []) }
    #expect(policy.insert(request(8, at: 7)) == [5])
    #expect(policy.insert(request(4, at: 5)) == [8])
    // A prefetched row that is farther than all others does not evict them.
    #expect(policy.insert(request(20, at: 6)) == [20])
  }
}
