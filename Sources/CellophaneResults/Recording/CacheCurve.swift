internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The hit ratios of caches of several sizes and policies for the same requests, with upper bounds.
package struct CacheCurve: Sendable, Hashable, Codable {
  /// The hit ratios of one policy.
  package struct Row: Sendable, Hashable, Codable {
    /// The name of an ``EvictionRule``.
    package let policy: String
    /// The share of the requests that found their key, for each of ``CacheCurve/sizes``.
    package let hitRatio: [Double]

    private enum CodingKeys: String, CodingKey {
      case policy
      case hitRatio = "hit_ratio"
    }
  }

  /// The sizes of the cache in bytes, ascending.
  package let sizes: [Int]
  /// One row for each policy.
  package let rows: [Row]
  /// The hit ratios of an optimal cache that knows all future requests (Belady); nil if images differ in
  /// cost.
  package let belady: [Double]?
  /// An upper bound of the hit ratio of any cache (PFOO-L).
  package let bound: [Double]
  /// The number of requests that were played.
  package let requests: Int
  /// The number of distinct keys.
  package let keys: Int

  private enum CodingKeys: String, CodingKey {
    case belady, requests, keys
    case rows = "lines"
    case sizes = "sizes_bytes"
    case bound = "pfoo_l"
  }

  /// The number of sizes: enough points for a smooth curve.
  static let points = 14
  /// The maximum number of requests that are played: one hour at the pace of a reader, and a fraction of a
  /// second of computation for all policies.
  static let requestLimit = 20_000

  /// Creates the curve of the first ``requestLimit`` of `requests`. The sizes range from the smallest cache that takes every
  /// image, because no image may exceed an eighth of the cache, to one that holds all of them. Returns nil if the requests are
  /// too few for a curve.
  init?(_ requests: some Collection<CacheRequest>) throws(LoadError) {
    let trace = try CacheTrace(Array(requests.prefix(Self.requestLimit)))
    var costs: [Int: Int] = [:]
    for request in trace.requests { costs[request.key] = request.cost }
    // Cannot overflow: the trace has checked that the sum of all costs is an `Int`.
    let all = costs.values.reduce(0, +)
    let least = MemoryCacheLimit.entryShare * (trace.requests.map(\.cost).max() ?? 0)
    guard least > 0, all > least else { return nil }
    // A constant factor from one size to the next.
    let growth = pow(Double(all) / Double(least), 1 / Double(Self.points - 1))
    var sizes = (0..<Self.points - 1).map { Int(Double(least) * pow(growth, Double($0))) }
    sizes.append(all)
    self.sizes = sizes
    rows = EvictionRule.allCases.map { rule in
      Row(
        policy: rule.rawValue,
        hitRatio: sizes.map { trace.score(of: rule.policy(capacity: $0)).hitRatio })
    }
    let belady = sizes.compactMap { trace.belady(capacity: $0)?.hitRatio }
    self.belady = belady.count == sizes.count ? belady : nil
    bound = sizes.map { trace.upperBound(capacity: $0).hitRatio }
    self.requests = trace.requests.count
    keys = costs.count
  }
}

extension CacheCurve {
  /// Reads the output of `encode(to:)`.
  ///
  /// - Throws: `DecodingError` if the number of ratios differs from the number of sizes, or a value is
  ///   invalid.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    sizes = try object.decode([Int].self, forKey: .sizes)
    rows = try object.decode([Row].self, forKey: .rows)
    belady = try object.decodeIfPresent([Double].self, forKey: .belady)
    bound = try object.decode([Double].self, forKey: .bound)
    requests = try object.decode(Int.self, forKey: .requests)
    keys = try object.decode(Int.self, forKey: .keys)
    let ratios = rows.map(\.hitRatio) + [bound] + [belady].compactMap(\.self)
    let isSound =
      ratios.allSatisfy { $0.count == sizes.count && $0.allSatisfy((0...1).contains) }
      && sizes.allSatisfy { $0 > 0 } && zip(sizes, sizes.dropFirst()).allSatisfy(<)
    guard isSound, !sizes.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .sizes, in: object, debugDescription: "is not a valid cache curve")
    }
  }
}
