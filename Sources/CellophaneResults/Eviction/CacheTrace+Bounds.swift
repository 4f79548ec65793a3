internal import Cellophane

/// The hits of a cache with knowledge of all future requests.
extension CacheTrace {
  /// Returns the maximum number of hits if all keys have the same cost. The cache evicts the key with the
  /// most distant next request (Belady, "A study of replacement algorithms for a virtual-storage computer",
  /// IBM Systems Journal 1966). That may be the new key, because a policy may reject it. O(n log n).
  ///
  /// - Returns: nil if the costs differ; then use ``upperBound(capacity:)``.
  package func belady(capacity: Int) -> CacheScore? {
    let cost = requests.first?.cost ?? 1
    guard requests.allSatisfy({ $0.cost == cost }) else { return nil }
    let maxKept = EvictionLimits.capacity(capacity) / cost
    var kept = FarthestFirst()
    var hits = 0
    // The number of its next request identifies a key in the cache.
    for (number, next) in nextRequests.enumerated() {
      let isHit = kept.remove(number)
      if isHit { hits += 1 }
      guard let next else { continue }
      kept.insert(next)
      if kept.count > maxKept { kept.removeFarthest() }
    }
    return CacheScore(requests: requests.count, hits: hits, bytes: bytes, hitBytes: hits * cost)
  }

  /// Returns an upper bound of the hits, and of the bytes hit, of any cache with `capacity` bytes: PFOO-L. To
  /// keep a key from one request to the next takes its bytes times the requests between. The bound limits
  /// only the total of these products (Berger, Beckmann and Harchol-Balter, "Practical bounds on optimal
  /// caching with variable object sizes", POMACS 2018). O(n log n).
  ///
  /// The two bounds are independent: the hits prefer the smallest products, the bytes the nearest next
  /// requests.
  package func upperBound(capacity: Int) -> CacheScore {
    let capacity = EvictionLimits.capacity(capacity)
    let spans = nextRequests.enumerated().compactMap { number, next -> Span? in
      let cost = requests[number].cost
      guard let next, cost <= capacity else { return nil }
      return Span(cost: cost, length: next - number)
    }
    let (product, overflows) = capacity.multipliedReportingOverflow(by: max(0, requests.count - 1))
    let volume = overflows ? Int.max : product
    return CacheScore(
      requests: requests.count, hits: Self.hits(spans, volume: volume),
      bytes: bytes, hitBytes: Self.hitBytes(spans, volume: volume))
  }

  private static func hits(_ spans: [Span], volume: Int) -> Int {
    var remaining = volume
    for (hits, volume) in spans.map(\.volume).sorted().enumerated() {
      guard volume <= remaining else { return hits }
      remaining -= volume
    }
    return spans.count
  }

  private static func hitBytes(_ spans: [Span], volume: Int) -> Int {
    var remaining = volume
    var bytes = 0
    for span in spans.sorted(by: { $0.length < $1.length }) {
      // The last one in part: a bound may split a key, a cache cannot.
      guard span.volume <= remaining else { return bytes + remaining / span.length }
      remaining -= span.volume
      bytes += span.cost
    }
    return bytes
  }
}

/// The interval between two requests for the same key, which `length` requests separate.
private struct Span {
  let cost: Int
  let length: Int

  /// The bytes times requests that it takes to keep the key; `Int.max` if the product overflows.
  var volume: Int {
    let (volume, overflows) = cost.multipliedReportingOverflow(by: length)
    return overflows ? Int.max : volume
  }
}

/// A priority queue of the numbers of future requests, with the largest first: a binary heap. A removed
/// number is smaller than all others. It may therefore stay in the heap until it is the largest.
private struct FarthestFirst {
  private var heap: [Int] = []
  private var kept: Set<Int> = []

  var count: Int { kept.count }

  /// Removes `number`; returns false if it is absent.
  mutating func remove(_ number: Int) -> Bool { kept.remove(number) != nil }

  mutating func insert(_ number: Int) {
    kept.insert(number)
    heap.append(number)
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2] < heap[child] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFarthest() {
    guard let farthest = heap.first else { return }
    kept.remove(farthest)
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
      guard heap[parent] < heap[child] else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
