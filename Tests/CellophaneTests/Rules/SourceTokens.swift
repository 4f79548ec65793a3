/// The words of Swift source and the characters between them, without comments and the text of string literals.
///
/// Reads nested comments, multi-line strings, strings with `#`, and interpolated code as the compiler does. Does not
/// read regular expressions between slashes, because the sources have none.
struct SourceTokens {
  struct Token: Equatable {
    let text: String
    /// The line number, from 1.
    let line: Int
  }

  private(set) var tokens: [Token] = []
  private var rest: ArraySlice<Unicode.Scalar>
  private var line = 1

  init(_ source: String) {
    rest = Array(source.unicodeScalars)[...]
    readCode(isInterpolated: false)
  }

  /// Reads code to the end, or to the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolated: Bool) {
    var depth = 0
    while let first = rest.first {
      if skip("//") {
        while let next = rest.first, next != "\n", next != "\r" { advance() }
      } else if skip("/*") {
        skipComment()
      } else if first == "`" {
        // In backticks, `import` is a name.
        let name = takeName(after: 1)
        if rest.first == "`" { advance() }
        if name != "import" { append(name) }
      } else if Self.isName(first) {
        let name = takeName(after: 0)
        // `try !a` is not `try!`.
        append((name == "try" || name == "as") && skip("!") ? name + "!" : name)
      } else if let (hashes, isLong) = stringStart() {
        readString(hashes: hashes, isLong: isLong)
      } else if skip("->") {
        append("->")
      } else {
        advance()
        depth += first == "(" ? 1 : first == ")" ? -1 : 0
        if isInterpolated, depth < 0 { return }
        if !first.properties.isWhitespace { append(String(first)) }
      }
    }
  }

  private mutating func skipComment() {
    var depth = 1
    while depth > 0, !rest.isEmpty {
      if skip("/*") { depth += 1 } else if skip("*/") { depth -= 1 } else { advance() }
    }
  }

  /// Returns the number of `#` before the next string literal, and whether it has several lines; nil without a literal.
  private func stringStart() -> (hashes: Int, isLong: Bool)? {
    let hashes = rest.prefix { $0 == "#" }.count
    let quotes = rest.dropFirst(hashes)
    return quotes.first == "\"" ? (hashes, quotes.starts(with: "\"\"\"".unicodeScalars)) : nil
  }

  private mutating func readString(hashes: Int, isLong: Bool) {
    let mark = String(repeating: "#", count: hashes)
    let quotes = isLong ? "\"\"\"" : "\""
    _ = skip(mark + quotes)
    append("\"")
    while let next = rest.first {
      if skip(quotes + mark) { return }
      if !isLong, next == "\n" || next == "\r" { return }
      if skip("\\" + mark + "(") {
        readCode(isInterpolated: true)
      } else if skip("\\" + mark) {
        advance()
      } else {
        advance()
      }
    }
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  private mutating func takeName(after skipped: Int) -> String {
    for _ in 0..<skipped { advance() }
    var name = String.UnicodeScalarView()
    while let next = rest.first, Self.isName(next) {
      name.append(next)
      advance()
    }
    return String(name)
  }

  private mutating func append(_ text: String) { tokens.append(Token(text: text, line: line)) }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    for _ in text.unicodeScalars { advance() }
    return true
  }

  private mutating func advance() {
    if rest.popFirst() == "\n" { line += 1 }
  }
}
