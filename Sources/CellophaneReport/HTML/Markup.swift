/// HTML or SVG text. Interpolated strings are escaped; interpolated markup is not.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// The interpolation that escapes strings and inserts numbers and markup unchanged.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ string: String) { text += Markup.escaped(string) }
    mutating func appendInterpolation(_ substring: Substring) { text += Markup.escaped(String(substring)) }
    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// Appends a length or a coordinate with at most one decimal, a tenth of a pixel.
    mutating func appendInterpolation(_ number: Double) { text += Markup.number(number) }
  }

  static func + (first: Markup, second: Markup) -> Markup {
    var both = first
    both.text += second.text
    return both
  }

  static func += (first: inout Markup, second: Markup) { first.text += second.text }

  /// Returns `text` escaped for an element or a quoted attribute of HTML. Control characters, which are
  /// invalid in both, become U+FFFD.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      // Control characters: Unicode's general category Cc.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": escaped.unicodeScalars.append("\u{FFFD}")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns `value` with at most one decimal, or 0 if it is not finite or too large for a drawing.
  static func number(_ value: Double) -> String {
    // 1e12: ten times as much still fits into an Int.
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + String(rest))
  }
}

extension Sequence<Markup> {
  /// Returns the concatenation of all elements.
  func joined() -> Markup { reduce(into: Markup(stringLiteral: "")) { $0 += $1 } }
}
