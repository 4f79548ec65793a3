#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A distribution in which the n-th most popular thing is drawn in proportion to n^(−exponent): what is seen of web
/// objects, with exponents of 0.64 to 0.83 (Breslau et al., INFOCOM 1999).
struct ZipfDistribution: Sendable {
  /// The sums of the weights up to each thing, in whole numbers: no draw depends on the last bit of a power.
  private let sums: [UInt64]

  /// `count` things, at least 1. O(count).
  init(count: Int, exponent: Double) {
    var sum: UInt64 = 0
    sums = (1...max(1, count)).map { rank in
      // 2⁴⁰: fine enough for the rarest of a million, and the sum of a million stays below 2⁶⁴.
      sum += UInt64((pow(Double(rank), -exponent) * 0x1p40).rounded())
      return sum
    }
  }

  /// The thing that uniform `bits` draw: 0 is the most popular. O(log count).
  func rank(at bits: UInt64) -> Int {
    let place = bits.multipliedFullWidth(by: sums.last ?? 0).high
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
