import Cellophane
import FoundationEssentials
import Testing

@testable import CellophaneResults
internal import TestSupport

@Suite struct CacheComparisonTests {
  static func compare(
    _ text: String, format: RequestFormat? = nil, rules: [EvictionRule]? = nil, sizes: [CacheSize]
  ) async throws -> CacheComparison {
    let (trace, reader) = try RequestReaderTests.read(text.utf8, as: format, limit: 100_000)
    return try await CacheComparison(trace, readBy: reader, rules: rules, sizes: sizes)
  }

  /// A loop over five objects with a cache for four. LRU never hits, and the optimal hit ratio is known.
  @Test func `the comparison has the hit ratios of the policies and the bounds`() async throws {
    let loop = (0..<50).map { "\($0) \($0 % 5) 10\n" }.joined()
    let comparison = try await Self.compare(loop, sizes: [.bytes(40), .share(1), .share(0.5)])
    #expect(comparison.trace.requests == 50 && comparison.trace.keys == 5)
    #expect(comparison.trace.bytes == 500 && comparison.trace.keyBytes == 50)
    #expect(comparison.sizes.map(\.bytes) == [40, 50, 25])
    let (trace, _) = try RequestReaderTests.read(loop.utf8)
    #expect(comparison.sizes[0].policies["lru"]?.hitRatio == 0)
    #expect(comparison.sizes[1].policies["lru"]?.hitRatio == 0.9)
    for size in comparison.sizes {
      #expect(Set(size.policies.keys) == ["lru", "sieve", "s3-fifo", "arc", "w-tinylfu"])
      for (name, ratios) in size.policies {
        let rule = try #require(EvictionRule(rawValue: name))
        let score = trace.score(of: rule.policy(capacity: size.bytes))
        #expect(ratios == CacheComparison.Ratios(score))
      }
      #expect(size.bounds.belady?.hitRatio == trace.belady(capacity: size.bytes)?.hitRatio)
      #expect(size.bounds.pfooL == CacheComparison.Ratios(trace.upperBound(capacity: size.bytes)))
    }
    #expect(try JSONDecoder().decode(CacheComparison.self, from: Data(comparison.json())) == comparison)
  }

  @Test func `a trace with several sizes has no Belady bound, and a heading is recognized`() async throws {
    let text = (0..<60).map { "\($0) \($0 % 7) \($0 % 7 + 1)00\n" }.joined()
    let comparison = try await Self.compare(text, rules: [.lru, .arc], sizes: [.share(0.5)])
    #expect(comparison.sizes[0].bounds.belady == nil && !comparison.trace.heading)
    let headed = try await Self.compare("a,id,size\n1,7,5\n", rules: [.lru], sizes: [.share(1)])
    #expect(headed.trace.heading)
    #expect(String(decoding: try comparison.json(), as: UTF8.self).contains("\"pfoo_l\""))
  }

  @Test func `the output conforms to the published schema`() async throws {
    let schema = try JSONSchema(named: "cellophane.requests.schema.json")
    let (equal, other) = ("0 7 10\n1 8 10\n", "0 7 10\n1 8 20\n")
    var values: [AnyJSON] = []
    for text in [equal, other] {
      values.append(try AnyJSON(await Self.compare(text, sizes: [.bytes(15), .share(1)]).json()))
    }
    let format = try RequestFormat(parsing: "csv:id=1,size=none")
    values.append(try AnyJSON(await Self.compare("a\nb\n", format: format, sizes: [.share(1)]).json()))
    #expect(schema.disagreements(with: values) == [])
    let text = String(decoding: try await Self.compare(equal, sizes: [.bytes(15)]).json(), as: UTF8.self)
    for (old, new) in [
      ("\"requests\" : 2", "\"requests\" : 0"), ("\"hit_ratio\" : 0", "\"hit_ratio\" : -1"),
      ("\"webcachesim\"", "\"other\""), ("\"pfoo_l\"", "\"pfoo\""),
      ("\"heading\" : false", "\"heading\" : 0"),
    ] {
      #expect(text.contains(old), "\(old)")
      #expect(schema.faults(of: try AnyJSON(text.replacing(old, with: new).utf8)) != [], "\(new)")
    }
  }

  @Test func `farthest-row is compared only for a trace with rows`() async throws {
    let format = try RequestFormat(parsing: "csv:id=1,size=none,row=1,position=1")
    let rows = (0..<40).map { "\($0 % 20)\n" }.joined()
    let withRows = try await Self.compare(rows, format: format, sizes: [.bytes(10)])
    #expect(withRows.sizes[0].policies["farthest-row"] != nil)
    await #expect {
      try await Self.compare(rows, rules: [.farthestRow], sizes: [.bytes(10)])
    } throws: { error in
      (error as? LoadError)?.message.contains("such as csv:id=2,size=3,row=4, and with position=N") == true
    }
    await #expect(throws: LoadError.self) { try await Self.compare(rows, rules: [], sizes: [.bytes(10)]) }
    await #expect(throws: LoadError.self) { try await Self.compare(rows, sizes: []) }
  }

  @Test(arguments: [
    (CacheSize.bytes(7), 7), (.bytes(-1), 1), (.share(0.25), 250), (.share(0), 1), (.share(.nan), 1),
    (.share(9), 1_000),
  ])
  func `a cache size is at least one byte, and a share is at most 1`(size: CacheSize, bytes: Int) {
    #expect(size.bytes(of: 1_000) == bytes)
    #expect(CacheSize.share(0.999_999_999_999_999_9).bytes(of: .max) > 0)
  }
}
