internal import Cellophane

/// What a cache of the same size could do that knew all requests beforehand.
extension CacheTrace {
  /// The most hits that are possible when all keys cost the same, by dropping what is asked for again last,
  /// the newcomer itself if need be (Belady, "A study of replacement algorithms for a virtual-storage
  /// computer", IBM Systems Journal 1966; with the newcomer, as a policy may refuse it). O(n log n).
  ///
  /// - Returns: nil when costs differ; then see ``upperBound(capacity:)``.
  public func belady(capacity: Int) -> CacheScore? {
    let cost = requests.first?.cost ?? 1
    guard requests.allSatisfy({ $0.cost == cost }) else { return nil }
    let places = EvictionLimits.capacity(capacity) / cost
    var kept = FarthestFirst()
    var hits = 0
    // A kept key is known by the number of its next request.
    for (number, next) in nextRequests.enumerated() {
      let isHit = kept.remove(number)
      if isHit { hits += 1 }
      guard let next else { continue }
      kept.insert(next)
      if kept.count > places { kept.removeFarthest() }
    }
    return CacheScore(requests: requests.count, hits: hits, bytes: bytes, hitBytes: hits * cost)
  }

  /// More hits, and more bytes hit, than any cache of `capacity` bytes can reach: PFOO-L, which lets keys be
  /// kept from one request to the next as long as the bytes times requests that this takes are no more
  /// than there are in all, whenever they are taken (Berger, Beckmann and Harchol-Balter, "Practical bounds
  /// on optimal caching with variable object sizes", POMACS 2018). O(n log n).
  ///
  /// Each of the two is a bound for itself: hits take what is cheapest to keep first, bytes what is asked for
  /// again soonest.
  public func upperBound(capacity: Int) -> CacheScore {
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
    var left = volume
    for (hits, volume) in spans.map(\.volume).sorted().enumerated() {
      guard volume <= left else { return hits }
      left -= volume
    }
    return spans.count
  }

  private static func hitBytes(_ spans: [Span], volume: Int) -> Int {
    var left = volume
    var bytes = 0
    for span in spans.sorted(by: { $0.length < $1.length }) {
      // The last one in part: a bound may divide what a cache cannot.
      guard span.volume <= left else { return bytes + left / span.length }
      left -= span.volume
      bytes += span.cost
    }
    return bytes
  }
}

/// A key that is asked for again after `length` requests.
private struct Span {
  let cost: Int
  let length: Int

  /// What it takes to keep it until then, in bytes times requests. All there is when that is no number.
  var volume: Int {
    let (volume, overflows) = cost.multipliedReportingOverflow(by: length)
    return overflows ? Int.max : volume
  }
}

/// Numbers of coming requests, the last of which is found first: a binary heap. A number that is removed
/// before is smaller than all others, so that it may stay until it surfaces.
private struct FarthestFirst {
  private var heap: [Int] = []
  private var kept: Set<Int> = []

  var count: Int { kept.count }

  /// True when `number` is there.
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
