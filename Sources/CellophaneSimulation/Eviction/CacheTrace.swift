public import Cellophane

/// Requests to a cache in the order in which they came. Each key has one cost throughout.
public struct CacheTrace: Sendable, Hashable {
  /// The requests.
  public let requests: [CacheRequest]
  /// What they would cost if each came from the origin, in bytes.
  public let bytes: Int

  /// A trace of `requests`. O(n).
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when a key comes with two costs, or all costs together are
  ///   not a number.
  public init(_ requests: [CacheRequest]) throws(LoadError) {
    var costs: [Int: Int] = [:]
    var bytes = 0
    for (index, request) in requests.enumerated() {
      let known = costs[request.key, default: request.cost]
      guard known == request.cost else {
        throw LoadError(
          .invalidRequest,
          "request \(index) asks for key \(request.key) at a cost of \(request.cost), but it cost \(known) "
            + "before; give another version another key")
      }
      costs[request.key] = known
      let (sum, overflows) = bytes.addingReportingOverflow(request.cost)
      guard !overflows else {
        throw LoadError(.invalidRequest, "the trace's costs up to request \(index) exceed 2⁶³ bytes")
      }
      bytes = sum
    }
    self.requests = requests
    self.bytes = bytes
  }

  /// For each request, the number of the next one for the same key; nil when none follows. O(n).
  var nextRequests: [Int?] {
    var next = [Int?](repeating: nil, count: requests.count)
    var latest: [Int: Int] = [:]
    for (index, request) in requests.enumerated() {
      if let before = latest[request.key] { next[before] = index }
      latest[request.key] = index
    }
    return next
  }
}
