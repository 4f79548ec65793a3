package import Cellophane

/// A sequence of requests to a cache. Each key has a constant cost.
package struct CacheTrace: Sendable, Hashable {
  /// The requests.
  package let requests: [CacheRequest]
  /// The total cost of all requests, in bytes.
  package let bytes: Int

  /// Creates a trace of `requests`. O(n).
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a key has two costs, or if the total cost overflows.
  package init(_ requests: [CacheRequest]) throws(LoadError) {
    var costs: [Int: Int] = [:]
    var bytes = 0
    for (index, request) in requests.enumerated() {
      let known = costs[request.key, default: request.cost]
      guard known == request.cost else {
        throw LoadError(
          .invalidRequest,
          "request \(index) has a cost of \(request.cost) for key \(request.key), but an earlier one has \(known); "
            + "use another key for another version")
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

  /// The number of the next request for the same key, for each request; nil if absent. O(n).
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
