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

  /// A difference of two shares, in percentage points: `4.1 pp`.
  static func points(_ difference: Double) -> String { percent(difference).replacing("%", with: "pp") }

  /// What is not negative, with three digits that count: `1250`, `12.5`, `0.0125`.
  static func significant(_ value: Double) -> String {
    guard value.isFinite else { return unknown }
    guard value >= 0.0001 else { return value > 0 ? "<0.0001" : "0" }
    return decimal(value, places: max(0, 2 - Int(log10(value).rounded(.down))))
  }

  /// Milliseconds: `250 ms`, from 10 s on as `12.3 s`.
  static func milliseconds(_ value: Double) -> String {
    value < 10_000 ? decimal(value, places: 0) + " ms" : decimal(value / 1000, places: 1) + " s"
  }

  /// A wait of so many ms: `20 ms`, `1.5 s`; `at once` for none.
  static func wait(_ value: Double) -> String {
    value == 0 ? "at once" : value < 1000 ? short(value) + " ms" : short(value / 1000) + " s"
  }

  /// Bytes in powers of 1000: `512 B`, `38.2 kB`, `1.7 MB`.
  static func bytes(_ value: Double) -> String {
    if value < 1000 { return decimal(value, places: 0) + " B" }
    if value < 999_950 { return decimal(value / 1000, places: 1) + " kB" }
    return decimal(value / 1_000_000, places: 1) + " MB"
  }

  /// Bytes of a round number: `500 kB`, `2 MB`.
  static func roundBytes(_ value: Double) -> String {
    if value < 1000 { return short(value) + " B" }
    if value < 1_000_000 { return short(value / 1000) + " kB" }
    return value < 1e9 ? short(value / 1_000_000) + " MB" : short(value / 1e9) + " GB"
  }

  /// A count: `1234`.
  static func count(_ value: Double) -> String { decimal(value, places: 0) }

  /// A whole number in groups of three digits, with narrow spaces that do not break: `12 345`.
  static func grouped(_ value: Double) -> String {
    let digits = Array(decimal(value, places: 0))
    return digits.indices.reduce(into: "") { text, index in
      let left = digits.count - index
      if left % 3 == 0, digits[..<index].contains(where: \.isNumber) { text += "\u{202F}" }
      text.append(digits[index])
    }
  }

  /// At most one digit behind the point, which a whole number does without: `4`, `2.5`.
  static func short(_ value: Double) -> String {
    decimal(value, places: value == value.rounded() ? 0 : 1)
  }

  /// `value` rounded to `places` digits behind the point; from 10¹⁵ on, where no digit behind the point is sure, as
  /// powers of ten.
  static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return unknown }
    guard abs(value) < 1e15 else { return "\(value)" }
    let factor = pow(10, Double(places))
    let rounded = (abs(value) * factor).rounded() / factor
    let text = places == 0 ? "\(UInt64(rounded))" : "\(rounded)"
    let parts = text.split(separator: ".")
    let sign = value < 0 && rounded > 0 ? "-" : ""
    return sign + parts[0] + (places == 0 ? "" : "." + parts[1])
  }
}

extension String {
  /// The same with units that are not parted from their numbers by a line break.
  var unbroken: String {
    var last: Character = " "
    return String(
      indices.map { index in
        defer { last = self[index] }
        guard self[index] == " ", last.isNumber else { return self[index] }
        let unit = self[self.index(after: index)...].prefix { $0.isLetter || $0 == "%" || $0 == "/" }
        return ["%", "ms", "s", "B", "kB", "MB", "GB", "px", "Mbit/s"].contains(unit) ? "\u{A0}" : " "
      })
  }
}
