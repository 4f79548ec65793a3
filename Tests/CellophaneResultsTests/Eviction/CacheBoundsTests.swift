@testable import CacheEviction
import Cellophane
@testable import CellophaneResults
import Testing

@Suite struct CacheBoundsTests {
  @Test(arguments: EvictionReferences.all.traces)
  func `bounds match the references`(reference: ReferenceTrace) throws {
    let trace = try reference.trace()
    for run in reference.runs {
      let bound = trace.upperBound(capacity: run.capacity)
      #expect(trace.belady(capacity: run.capacity)?.hits == run.belady)
      #expect(bound.hits == run.boundHits)
      #expect(bound.hitBytes == run.boundBytes)
    }
  }

  @Test(arguments: [true, false]) func `no policy exceeds a bound`(equalCosts: Bool) throws {
    for seed in 0..<100 as Range<UInt64> {
      let requests = RandomTrace.requests(count: 400, seed: seed, equalCosts: equalCosts)
      let trace = try CacheTrace(requests)
      let capacity = Int(SeededDraw(seed: seed).bits("capacity", 0) % (equalCosts ? 30 : 500))
      let bound = trace.upperBound(capacity: capacity)
      let best = trace.belady(capacity: capacity)
      #expect((best != nil) == equalCosts, "seed \(seed)")
      #expect((best?.hits ?? 0) <= bound.hits, "seed \(seed)")
      for rule in EvictionRule.allCases {
        let score = trace.score(of: rule.policy(capacity: capacity))
        #expect(score.hits <= best?.hits ?? bound.hits, "seed \(seed), \(rule)")
        #expect(score.hitBytes <= bound.hitBytes, "seed \(seed), \(rule)")
        #expect(score.hitRatio <= bound.hitRatio && score.byteHitRatio <= bound.byteHitRatio)
      }
    }
  }

  @Test func `with a sufficient capacity, every policy reaches the bounds`() throws {
    for seed in 0..<10 as Range<UInt64> {
      let trace = try CacheTrace(RandomTrace.requests(count: 300, seed: seed))
      // A hundred times the cost of all keys: the window of W-TinyLFU holds them.
      let capacity = 100 * 60 * 40
      let bound = trace.upperBound(capacity: capacity)
      for rule in EvictionRule.allCases {
        #expect(trace.score(of: rule.policy(capacity: capacity)) == bound, "seed \(seed), \(rule)")
      }
    }
  }

  /// Two alternating keys, and a capacity for one. A policy that keeps one of them has two hits. The volume of
  /// the cache, 5, allows two spans of 2.
  @Test func `bounds match a calculation by hand`() throws {
    let trace = try CacheTrace([1, 2, 1, 2, 1, 2].map { CacheRequest(key: $0, cost: 1) })
    #expect(trace.belady(capacity: 1)?.hits == 2)
    #expect(trace.upperBound(capacity: 1).hits == 2)
    #expect(trace.belady(capacity: 2)?.hits == 4)
    #expect(trace.belady(capacity: 0)?.hits == 0)
    #expect(trace.score(of: LRUPolicy(capacity: 1)).hits == 0)
  }

  @Test func `the ratios of an empty trace are 0`() throws {
    let trace = try CacheTrace([])
    let empty = CacheScore(requests: 0, hits: 0, bytes: 0, hitBytes: 0)
    #expect(trace.score(of: LRUPolicy(capacity: 1)) == empty)
    #expect(trace.belady(capacity: 1) == empty)
    #expect(trace.upperBound(capacity: 1) == empty)
    #expect(empty.hitRatio == 0 && empty.byteHitRatio == 0)
  }

  @Test func `costs are refused if their sum overflows, and bounded if it does not`() throws {
    let half = Int.max / 2
    let trace = try CacheTrace([1, 2].map { CacheRequest(key: $0, cost: half) })
    #expect(trace.upperBound(capacity: .max).hits == 0)
    #expect(throws: LoadError.self) {
      try CacheTrace([1, 2, 3].map { CacheRequest(key: $0, cost: half) })
    }
  }

  @Test func `a key with two costs is refused`() {
    let error = #expect(throws: LoadError.self) {
      try CacheTrace([CacheRequest(key: 7, cost: 2), CacheRequest(key: 7, cost: 3)])
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("key 7") == true)
  }
}
