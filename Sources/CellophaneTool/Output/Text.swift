/// The formats of numbers in the output.
enum Text {
  /// Returns `950 B`, `27.1 kB` or `3.4 MB`, with decimal units as for networks.
  static func bytes(_ count: Int) -> String {
    guard count >= 1_000 else { return "\(count) B" }
    var value = Double(count)
    var unit = ""
    for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 || unit.isEmpty {
      value /= 1_000
      unit = next
    }
    return "\(decimal(value)) \(unit)"
  }

  /// Returns `0.4 ms`, `12.3 ms` or `4.1 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return seconds < 1 ? "\(decimal(seconds * 1_000)) ms" : "\(decimal(seconds)) s"
  }

  /// Returns the number with one decimal place.
  static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns `950` or `12 345`, with spaces between groups of three digits as in the SI.
  static func count(_ count: Int) -> String {
    let digits = Array("\(count)")
    let first = digits.count % 3
    let groups = stride(from: first, to: digits.count, by: 3).map { String(digits[$0..<$0 + 3]) }
    return ((first > 0 ? [String(digits[..<first])] : []) + groups).joined(separator: " ")
  }

  /// Returns `1 request` or `12 requests`.
  static func count(_ number: Int, _ noun: String) -> String {
    count(number) + " " + noun + (number == 1 ? "" : "s")
  }
}

extension Duration {
  /// The duration in milliseconds, for JSON.
  var milliseconds: Double { self / .milliseconds(1) }
}
