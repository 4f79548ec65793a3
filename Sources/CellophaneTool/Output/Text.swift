/// How numbers look in lines for people.
enum Text {
  /// `950 B`, `27.1 kB`, `3.4 MB`: decimal units, as networks count.
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

  /// `0.4 ms`, `12.3 ms`, `4.1 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return seconds < 1 ? "\(decimal(seconds * 1_000)) ms" : "\(decimal(seconds)) s"
  }

  /// One digit behind the point.
  static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// `text` filled with spaces to `width`.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Duration {
  /// Milliseconds, for JSON.
  var milliseconds: Double { self / .milliseconds(1) }
}
