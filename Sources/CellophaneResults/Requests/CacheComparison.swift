package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The hit ratios of eviction policies for a trace of requests and several cache sizes, with upper bounds.
package struct CacheComparison: Sendable, Hashable, Codable {
  /// The hit ratios of a cache, or of a bound.
  package struct Ratios: Sendable, Hashable, Codable {
    /// The share of the requests that found their key, 0...1.
    package let hitRatio: Double
    /// The share of the requested bytes that came from the cache, 0...1.
    package let byteHitRatio: Double

    init(_ score: CacheScore) {
      hitRatio = score.hitRatio
      byteHitRatio = score.byteHitRatio
    }

    private enum CodingKeys: String, CodingKey {
      case hitRatio = "hit_ratio"
      case byteHitRatio = "byte_hit_ratio"
    }
  }

  /// Upper bounds of the hit ratios of any cache.
  package struct Bounds: Sendable, Hashable, Codable {
    /// The optimum if all requests are known in advance; nil if sizes differ.
    package let belady: Ratios?
    /// An upper bound for any sizes (PFOO-L).
    package let pfooL: Ratios

    private enum CodingKeys: String, CodingKey {
      case belady
      case pfooL = "pfoo_l"
    }
  }

  /// One cache size.
  package struct Size: Sendable, Hashable, Codable {
    /// The size of the cache, in bytes.
    package let bytes: Int
    /// The hit ratios of each policy, by its name.
    package let policies: [String: Ratios]
    /// The upper bounds.
    package let bounds: Bounds
  }

  /// A summary of the trace.
  package struct Trace: Sendable, Hashable, Codable {
    /// The format of the file.
    package let format: String
    /// The number of requests.
    package let requests: Int
    /// The number of skipped requests, which only write.
    package let skipped: Int
    /// True if the first line was read as the names of columns.
    package let heading: Bool
    /// The number of distinct objects. An object with another size is another object.
    package let keys: Int
    /// The sum of the sizes of all requests, in bytes.
    package let bytes: Int
    /// The sum of the sizes of all distinct objects, in bytes.
    package let keyBytes: Int

    private enum CodingKeys: String, CodingKey {
      case format, requests, skipped, heading, keys, bytes
      case keyBytes = "key_bytes"
    }
  }

  /// The name of the schema. New versions only add fields.
  package static let schema = "cellophane.requests/1"

  /// The name of the schema.
  package let schema: String
  /// The tool that measured it.
  package let tool: SimulationTool
  /// The trace.
  package let trace: Trace
  /// The cache sizes, in the given order.
  package let sizes: [Size]

  /// Plays `trace` against each of `rules` with each of `sizes`, concurrently on all cores.
  ///
  /// - Parameter rules: The policies; nil for all. Without rows in the trace, all excludes the policy that
  ///   needs them.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if there is no policy or no size, or if a policy needs rows
  ///   that the trace does not have; ``LoadError/cancelled``.
  /// - Complexity: O(requests · log requests) for each size and rule.
  package init(
    _ trace: CacheTrace, readBy reader: RequestReader, rules: [EvictionRule]?, sizes: [CacheSize]
  ) async throws(LoadError) {
    let hasRows = trace.requests.contains { $0.row != 0 }
    let rules = rules ?? EvictionRule.allCases.filter { $0 != .farthestRow || hasRows }
    guard !rules.isEmpty, !sizes.isEmpty else {
      throw LoadError(.invalidRequest, "no policy or no size to compare")
    }
    guard hasRows || !rules.contains(.farthestRow) else {
      throw LoadError(
        .invalidRequest,
        "farthest-row needs the row of each request; name its column, such as csv:id=2,size=3,row=4, and with "
          + "position=N that of the row in the middle of the screen (otherwise row 0)")
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

  /// The comparison as JSON with sorted keys and a final line break.
  package func json() throws -> [UInt8] { try JSONText.lines(self) }
}

/// The size of a cache.
package enum CacheSize: Sendable, Hashable {
  /// A number of bytes.
  case bytes(Int)
  /// A share of the sizes of all distinct objects of a trace.
  case share(Double)

  /// Returns the size in bytes, at least 1. `total` is the size of all objects.
  func bytes(of total: Int) -> Int {
    switch self {
    case .bytes(let bytes): max(1, bytes)
    case .share(let share):
      // A product with a share below 1 cannot overflow.
      share >= 1 ? max(1, total) : max(1, Int((Double(total) * max(0, share)).rounded()))
    }
  }
}
