package import Cellophane

/// The hits of a cache for a trace, or the best possible ones.
package struct CacheScore: Sendable, Hashable {
  /// The number of requests.
  package let requests: Int
  /// The number of hits.
  package let hits: Int
  /// The total cost of all requests, in bytes.
  package let bytes: Int
  /// The total cost of the hits, in bytes.
  package let hitBytes: Int

  /// The share of requests that are hits, 0...1; 0 without requests.
  package var hitRatio: Double { requests == 0 ? 0 : Double(hits) / Double(requests) }

  /// The share of bytes that are hits, 0...1; 0 without requests.
  package var byteHitRatio: Double { bytes == 0 ? 0 : Double(hitBytes) / Double(bytes) }
}

extension CacheTrace {
  /// Returns the score of `policy` for this trace, starting from its current content. Pure: the result
  /// depends on the arguments only.
  ///
  /// - Parameter onRequest: Called after each request with its number, and true for a hit.
  package func score(
    of policy: consuming some EvictionPolicy, onRequest: (_ number: Int, _ isHit: Bool) -> Void = { _, _ in }
  ) -> CacheScore {
    var hits = 0
    var hitBytes = 0
    for (number, request) in requests.enumerated() {
      let isHit = policy.use(request)
      if isHit {
        hits += 1
        hitBytes += request.cost
      } else {
        _ = policy.insert(request)
      }
      onRequest(number, isHit)
    }
    return CacheScore(requests: requests.count, hits: hits, bytes: bytes, hitBytes: hitBytes)
  }
}
