/// The prices of the bytes of a link by time. A byte never costs more than an earlier one.
struct BytePrices: Sendable {
  /// The price of a byte of each slice.
  private var prices: [Double]
  /// The bytes, and their price, up to the end of each slice.
  private let deliverable: [Double]
  private var sums: [Double] = []

  init(surcharges: [Double], deliverable: [Double]) {
    prices = surcharges
    self.deliverable = deliverable
    for slice in prices.indices.dropLast().reversed() { prices[slice] += prices[slice + 1] }
    var (sum, before) = (0.0, 0.0)
    for (price, bytes) in zip(prices, deliverable) {
      sum += price * (bytes - before)
      sums.append(sum)
      before = bytes
    }
  }

  /// The price of all bytes.
  var total: Double { sums.last ?? 0 }

  /// Returns the price of the last `bytes` up to the end of slice `last`, and how many of them are in the slice of the
  /// first of them; nil if the link has not delivered as many.
  ///
  /// - Parameter first: The slice of the first byte. On entry, that of a later purchase of as many bytes.
  func purchase(of bytes: Double, endingIn last: Int, first: inout Int) -> (price: Double, ofFirst: Double)? {
    let start = deliverable[last] - bytes
    guard start >= 0 else { return nil }
    first = min(first, last)
    while first > 0, deliverable[first - 1] > start { first -= 1 }
    let ofFirst = deliverable[first] - start
    return (sums[last] - sums[first] + ofFirst * prices[first], ofFirst)
  }

  /// Adds the bytes of a purchase to the bytes that are used in each slice.
  func add(_ slices: ClosedRange<Int>, ofFirst: Double, to used: inout [Double]) {
    used[slices.lowerBound] += ofFirst
    for slice in slices.dropFirst() { used[slice] += deliverable[slice] - deliverable[slice - 1] }
  }
}
