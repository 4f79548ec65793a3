#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Numbers as a table shows them.
enum Quantity {
  /// What stands for a number that is not known.
  static let unknown = "–"

  /// A share as percent: `4.1 %`. A share that is not 0 never looks like 0.
  static func percent(_ share: Double) -> String {
    share > 0 && share < 0.0005 ? "<0.1 %" : decimal(share * 100, places: 1) + " %"
  }

  /// Milliseconds: `250 ms`, from 10 s on as `12.3 s`.
  static func milliseconds(_ value: Double) -> String {
    value < 10_000 ? decimal(value, places: 0) + " ms" : decimal(value / 1000, places: 1) + " s"
  }

  /// Bytes in powers of 1000: `512 B`, `38.2 kB`, `1.7 MB`.
  static func bytes(_ value: Double) -> String {
    if value < 1000 { return decimal(value, places: 0) + " B" }
    if value < 999_950 { return decimal(value / 1000, places: 1) + " kB" }
    return decimal(value / 1_000_000, places: 1) + " MB"
  }

  /// A count: `1234`.
  static func count(_ value: Double) -> String { decimal(value, places: 0) }

  /// `value` rounded to `places` digits behind the point.
  static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return unknown }
    let factor = pow(10, Double(places))
    let rounded = (abs(value) * factor).rounded() / factor
    let text = places == 0 ? "\(UInt64(rounded))" : "\(rounded)"
    let parts = text.split(separator: ".")
    let sign = value < 0 && rounded > 0 ? "-" : ""
    return sign + parts[0] + (places == 0 ? "" : "." + parts[1])
  }
}
