public import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How well eviction policies serve a trace of requests at different sizes of the cache, beside what no cache can beat.
public struct CacheComparison: Sendable, Hashable, Codable {
  /// What a cache, or a bound, comes to.
  public struct Ratios: Sendable, Hashable, Codable {
    /// The share of requests that found their key, 0...1.
    public let hitRatio: Double
    /// The share of bytes that did not have to come from the origin, 0...1.
    public let byteHitRatio: Double

    init(_ score: CacheScore) {
      hitRatio = score.hitRatio
      byteHitRatio = score.byteHitRatio
    }

    private enum CodingKeys: String, CodingKey {
      case hitRatio = "hit_ratio"
      case byteHitRatio = "byte_hit_ratio"
    }
  }

  /// What no cache can beat.
  public struct Bounds: Sendable, Hashable, Codable {
    /// What is possible with all requests known beforehand; nil where sizes differ.
    public let belady: Ratios?
    /// More than is possible, whatever the sizes.
    public let pfooL: Ratios

    private enum CodingKeys: String, CodingKey {
      case belady
      case pfooL = "pfoo_l"
    }
  }

  /// One size of the cache.
  public struct Size: Sendable, Hashable, Codable {
    /// How much the cache can hold, in bytes.
    public let bytes: Int
    /// What each policy comes to, by its name.
    public let policies: [String: Ratios]
    /// What none can beat.
    public let bounds: Bounds
  }

  /// What was asked for.
  public struct Trace: Sendable, Hashable, Codable {
    /// The format that was read.
    public let format: String
    /// How many requests there are.
    public let requests: Int
    /// How many more there were that only write.
    public let skipped: Int
    /// True when the first line was taken for the names of columns.
    public let heading: Bool
    /// How many different things are asked for; another size is another thing.
    public let keys: Int
    /// The sizes of all requests, in bytes.
    public let bytes: Int
    /// The sizes of all different things, in bytes.
    public let keyBytes: Int

    private enum CodingKeys: String, CodingKey {
      case format, requests, skipped, heading, keys, bytes
      case keyBytes = "key_bytes"
    }
  }

  /// The shape's name; it only grows.
  public static let schema = "cellophane.requests/1"

  /// ``schema``.
  public let schema: String
  /// What measured it.
  public let tool: SimulationTool
  /// What was asked for.
  public let trace: Trace
  /// The sizes, as they were given.
  public let sizes: [Size]

  /// Plays `trace` against each of `rules` at each of `sizes`, as many at once as there are cores.
  ///
  /// - Parameter rules: The policies; nil for all, without the one that looks at rows where the trace tells none.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when there is no policy or no size, or when one needs rows that the
  ///   trace does not tell; ``LoadError/cancelled``.
  /// - Complexity: O(requests · log requests) for each size and rule.
  public init(
    _ trace: CacheTrace, readBy reader: RequestReader, rules: [EvictionRule]?, sizes: [CacheSize]
  ) async throws(LoadError) {
    let hasRows = trace.requests.contains { $0.row != 0 }
    let rules = rules ?? EvictionRule.allCases.filter { $0 != .farthestRow || hasRows }
    guard !rules.isEmpty, !sizes.isEmpty else {
      throw LoadError(.invalidRequest, "there is no policy or no size to compare")
    }
    guard hasRows || !rules.contains(.farthestRow) else {
      throw LoadError(
        .invalidRequest, "farthest-row needs the rows of requests; name their columns, csv:row=N,position=N")
    }
    let costs = Dictionary(trace.requests.map { ($0.key, $0.cost) }) { cost, _ in cost }
    let keyBytes = costs.values.reduce(0, +)
    schema = Self.schema
    tool = SimulationTool()
    self.trace = Trace(
      format: reader.format?.name ?? "", requests: trace.requests.count, skipped: reader.skipped,
      heading: reader.hasHeading, keys: costs.count, bytes: trace.bytes, keyBytes: keyBytes)
    var results: [Size] = []
    for size in sizes {
      let capacity = size.bytes(of: keyBytes)
      let scores = await Self.scores(of: rules, on: trace, capacity: capacity)
      guard !Task.isCancelled else { throw .cancelled }
      results.append(
        Size(
          bytes: capacity, policies: scores,
          bounds: Bounds(
            belady: trace.belady(capacity: capacity).map(Ratios.init),
            pfooL: Ratios(trace.upperBound(capacity: capacity)))))
    }
    self.sizes = results
  }

  private static func scores(
    of rules: [EvictionRule], on trace: CacheTrace, capacity: Int
  ) async -> [String: Ratios] {
    await withTaskGroup(of: (String, Ratios).self) { group in
      for rule in rules {
        group.addTask { (rule.rawValue, Ratios(trace.score(of: rule.policy(capacity: capacity)))) }
      }
      var scores: [String: Ratios] = [:]
      for await (name, ratios) in group { scores[name] = ratios }
      return scores
    }
  }

  /// JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] { try JSONText.lines(self) }
}

/// How large a cache is.
public enum CacheSize: Sendable, Hashable {
  /// So many bytes.
  case bytes(Int)
  /// This share of what all different things of a trace take together.
  case share(Double)

  /// The size in bytes, given what all things take; at least 1.
  func bytes(of whole: Int) -> Int {
    switch self {
    case .bytes(let bytes): max(1, bytes)
    case .share(let share):
      // Below all of it, a product is a number of bytes.
      share >= 1 ? max(1, whole) : max(1, Int((Double(whole) * max(0, share)).rounded()))
    }
  }
}
