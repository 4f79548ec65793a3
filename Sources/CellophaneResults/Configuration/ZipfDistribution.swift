#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A distribution in which the n-th most popular object has a probability proportional to n^(−exponent).
/// Requests for web objects have exponents of 0.64 to 0.83 (Breslau et al., INFOCOM 1999).
struct ZipfDistribution: Sendable {
  /// The cumulative weights of the objects, as integers: no draw depends on the last bit of a power.
  private let sums: [UInt64]

  /// Creates a distribution of `count` objects, at least 1. O(count).
  init(count: Int, exponent: Double) {
    var sum: UInt64 = 0
    sums = (1...max(1, count)).map { rank in
      // 2⁴⁰ is fine enough for the rarest of a million objects, and the sum of a million weights stays below
      // 2⁶⁴.
      sum += UInt64((pow(Double(rank), -exponent) * 0x1p40).rounded())
      return sum
    }
  }

  /// Returns the object drawn by uniform `bits`; 0 is the most popular. O(log count).
  func rank(at bits: UInt64) -> Int {
    let position = bits.multipliedFullWidth(by: sums.last ?? 0).high
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
