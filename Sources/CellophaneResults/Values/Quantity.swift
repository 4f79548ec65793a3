#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Formats of numbers in tables.
package enum Quantity {
  /// The text for an unknown number.
  package static let unknown = "–"

  /// Returns a share in percent: `4.1 %`. A small share is `<0.1 %` and never rounds to 0.
  package static func percent(_ share: Double) -> String {
    share > 0 && share < 0.0005 ? "<0.1 %" : decimal(share * 100, places: 1) + " %"
  }

  /// Returns a difference of two shares in percentage points: `4.1 pp`.
  package static func points(_ difference: Double) -> String {
    percent(difference).replacing("%", with: "pp")
  }

  /// Returns a number that is not negative with three significant digits: `1250`, `12.5`, `0.0125`.
  package static func significant(_ value: Double) -> String {
    guard value.isFinite else { return unknown }
    guard value >= 0.0001 else { return value > 0 ? "<0.0001" : "0" }
    return decimal(value, places: max(0, 2 - Int(log10(value).rounded(.down))))
  }

  /// Returns milliseconds: `250 ms`, from 10 s on as `12.3 s`.
  package static func milliseconds(_ value: Double) -> String {
    value < 10_000 ? decimal(value, places: 0) + " ms" : decimal(value / 1000, places: 1) + " s"
  }

  /// Returns a wait in milliseconds: `20 ms`, `1.5 s`; `at once` for 0.
  package static func wait(_ value: Double) -> String {
    value == 0 ? "at once" : value < 1000 ? short(value) + " ms" : short(value / 1000) + " s"
  }

  /// Returns bytes in powers of 1000: `512 B`, `38.2 kB`, `1.7 MB`.
  package static func bytes(_ value: Double) -> String {
    if value < 1000 { return decimal(value, places: 0) + " B" }
    if value < 999_950 { return decimal(value / 1000, places: 1) + " kB" }
    return decimal(value / 1_000_000, places: 1) + " MB"
  }

  /// Returns a round number of bytes: `500 kB`, `2 MB`.
  package static func roundBytes(_ value: Double) -> String {
    if value < 1000 { return short(value) + " B" }
    if value < 1_000_000 { return short(value / 1000) + " kB" }
    return value < 1e9 ? short(value / 1_000_000) + " MB" : short(value / 1e9) + " GB"
  }

  /// Returns the size of a cache: `64 MiB` for a whole number of MiB, otherwise in powers of 1000, `1.5 MB`.
  package static func capacity(_ bytes: Int) -> String {
    guard bytes > 0, bytes.isMultiple(of: 1 << 20) else { return self.bytes(Double(bytes)) }
    return bytes.isMultiple(of: 1 << 30) ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
  }

  /// Returns a data rate in bits per second: `12.0 Mbit/s`, below 1 Mbit/s `700 kbit/s`.
  package static func bitRate(_ value: Double) -> String {
    value < 999_500 ? short(value / 1000) + " kbit/s" : decimal(value / 1e6, places: 1) + " Mbit/s"
  }

  /// Returns a count: `1234`.
  package static func count(_ value: Double) -> String { decimal(value, places: 0) }

  /// Returns a whole number in groups of three digits, separated by narrow no-break spaces: `12 345`.
  package static func grouped(_ value: Double) -> String {
    let digits = Array(decimal(value, places: 0))
    return digits.indices.reduce(into: "") { text, index in
      let remaining = digits.count - index
      if remaining % 3 == 0, digits[..<index].contains(where: \.isNumber) { text += "\u{202F}" }
      text.append(digits[index])
    }
  }

  /// Returns a number with at most one decimal, none for a whole number: `4`, `2.5`.
  package static func short(_ value: Double) -> String {
    decimal(value, places: value == value.rounded() ? 0 : 1)
  }

  /// Returns `value` rounded to `places` decimals; from 10¹⁵ on, where a `Double` has no reliable decimals,
  /// in scientific notation.
  package static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return unknown }
    guard abs(value) < 1e15 else { return "\(value)" }
    let factor = pow(10, Double(places))
    let rounded = (abs(value) * factor).rounded() / factor
    let text = places == 0 ? "\(UInt64(rounded))" : "\(rounded)"
    let parts = text.split(separator: ".")
    let sign = value < 0 && rounded > 0 ? "-" : ""
    return sign + parts[0] + (places == 0 ? "" : "." + parts[1])
  }

  /// Returns the text of an absolute value with a sign. A value that rounds to 0 has no sign.
  package static func signed(_ size: String, isNegative: Bool) -> String {
    let isVisible = !size.hasPrefix("<") && size.contains { "123456789".contains($0) }
    return isVisible ? (isNegative ? "-" : "+") + size : size
  }
}

extension String {
  /// The text with no-break spaces between numbers and their units.
  package var unbroken: String {
    var last: Character = " "
    return String(
      indices.map { index in
        defer { last = self[index] }
        guard self[index] == " ", last.isNumber else { return self[index] }
        let unit = self[self.index(after: index)...].prefix { $0.isLetter || $0 == "%" || $0 == "/" }
        let units: [Substring] = [
          "%", "ms", "s", "B", "kB", "MB", "GB", "MiB", "GiB", "px", "kbit/s", "Mbit/s",
        ]
        return units.contains(unit) ? "\u{A0}" : " "
      })
  }
}
