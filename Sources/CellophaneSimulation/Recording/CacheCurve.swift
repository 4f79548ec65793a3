internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How well caches of several sizes and policies answer the same requests, beside what no cache can surpass.
public struct CacheCurve: Sendable, Hashable, Codable {
  /// How a policy does.
  public struct Line: Sendable, Hashable, Codable {
    /// The name of an ``EvictionRule``.
    public let policy: String
    /// The share of requests that found their key, for each of ``CacheCurve/sizes``.
    public let hitRatio: [Double]

    private enum CodingKeys: String, CodingKey {
      case policy
      case hitRatio = "hit_ratio"
    }
  }

  /// The sizes in bytes, ascending.
  public let sizes: [Int]
  /// One line a policy.
  public let lines: [Line]
  /// The same of a cache that knows what comes (Belady); nil when pictures cost different amounts.
  public let belady: [Double]?
  /// More than any cache can reach (PFOO-L).
  public let bound: [Double]
  /// How many requests were played.
  public let requests: Int
  /// How many keys they were for.
  public let keys: Int

  private enum CodingKeys: String, CodingKey {
    case lines, belady, requests, keys
    case sizes = "sizes_bytes"
    case bound = "pfoo_l"
  }

  /// How many sizes are tried: points of a curve that looks smooth.
  static let points = 14
  /// The most requests that are played: an hour's at a reader's pace, and a fraction of a second for all policies.
  static let requestLimit = 20_000

  /// The curve of the first ``requestLimit`` of `requests`, from a cache of four pictures to one that keeps all; nil
  /// when there are too few to tell anything.
  init?(_ requests: some Collection<CacheRequest>) throws(LoadError) {
    let trace = try CacheTrace(Array(requests.prefix(Self.requestLimit)))
    var costs: [Int: Int] = [:]
    for request in trace.requests { costs[request.key] = request.cost }
    // Costs of keys are part of the trace's sum, which is a number.
    let all = costs.values.reduce(0, +)
    let least = 4 * (trace.requests.map(\.cost).max() ?? 0)
    guard least > 0, all > least else { return nil }
    // Equal factors from one to the next.
    let growth = pow(Double(all) / Double(least), 1 / Double(Self.points - 1))
    var sizes = (0..<Self.points - 1).map { Int(Double(least) * pow(growth, Double($0))) }
    sizes.append(all)
    self.sizes = sizes
    lines = EvictionRule.allCases.map { rule in
      Line(
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
  /// Reads what `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` when there is not one ratio for each size, or a number is none that a curve can have.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    sizes = try object.decode([Int].self, forKey: .sizes)
    lines = try object.decode([Line].self, forKey: .lines)
    belady = try object.decodeIfPresent([Double].self, forKey: .belady)
    bound = try object.decode([Double].self, forKey: .bound)
    requests = try object.decode(Int.self, forKey: .requests)
    keys = try object.decode(Int.self, forKey: .keys)
    let ratios = lines.map(\.hitRatio) + [bound] + [belady].compactMap(\.self)
    let isSound =
      ratios.allSatisfy { $0.count == sizes.count && $0.allSatisfy((0...1).contains) }
      && sizes.allSatisfy { $0 > 0 } && zip(sizes, sizes.dropFirst()).allSatisfy(<)
    guard isSound, !sizes.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .sizes, in: object, debugDescription: "is no curve of a cache")
    }
  }
}
