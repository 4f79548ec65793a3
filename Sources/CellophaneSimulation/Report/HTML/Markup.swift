/// Text of HTML or SVG. What is put in as text is escaped; what is put in as markup was made here.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// `"\(value)"` escapes what comes from outside; numbers and other markup go in as they are.
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
    /// A length or place: at most one digit behind the point, which is a tenth of a pixel.
    mutating func appendInterpolation(_ number: Double) { text += Markup.number(number) }
  }

  static func + (first: Markup, second: Markup) -> Markup {
    var both = first
    both.text += second.text
    return both
  }

  static func += (first: inout Markup, second: Markup) { first.text += second.text }

  /// `text` with what means something in HTML, in an element or in a quoted attribute, written otherwise. Control
  /// characters, which neither may have, become the replacement character.
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
      // The control characters (Unicode, Cc).
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": escaped.unicodeScalars.append("\u{FFFD}")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// `value` with at most one digit behind the point. What is no number, or larger than any picture, is 0.
  static func number(_ value: Double) -> String {
    // 1e12: a tenth of it still is an Int.
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + String(rest))
  }
}

extension Sequence<Markup> {
  /// All of them, one after the other.
  func joined() -> Markup { reduce(into: Markup(stringLiteral: "")) { $0 += $1 } }
}
