public import Cellophane

/// How well a cache served a trace, or how well any could.
public struct CacheScore: Sendable, Hashable {
  /// How many requests there were.
  public let requests: Int
  /// How many of them found their key.
  public let hits: Int
  /// What all requests cost together, in bytes.
  public let bytes: Int
  /// What those that found their key cost, in bytes.
  public let hitBytes: Int

  /// The share of requests that found their key, 0...1; 0 without requests.
  public var hitRatio: Double { requests == 0 ? 0 : Double(hits) / Double(requests) }

  /// The share of bytes that did not have to come from the origin, 0...1; 0 without requests.
  public var byteHitRatio: Double { bytes == 0 ? 0 : Double(hitBytes) / Double(bytes) }
}

extension CacheTrace {
  /// How well `policy` serves this trace, going on from what it keeps. Pure: the same for equal arguments.
  ///
  /// - Parameter onRequest: Called after each request with its number and whether it found its key.
  public func score(
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
