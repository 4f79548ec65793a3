/// The elements of an HTML page, as far as tests have to know them.
struct Elements {
  /// One start tag.
  struct Element {
    let name: String
    let attributes: [String: String]
  }

  private(set) var all: [Element] = []
  /// What is wrong with how they nest; empty when nothing is.
  private(set) var flaws: [String] = []

  /// Those that have no end tag (HTML, 13.1.2).
  private static let void: Set<String> = ["meta", "br", "hr", "img", "link", "input"]
  /// Those whose text is not markup.
  private static let raw: Set<String> = ["style", "script"]

  init(_ page: String) {
    var open: [String] = []
    var rest = page[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      guard let end = Self.end(of: rest) else {
        flaws.append("a tag without an end")
        return
      }
      let tag = rest[..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("!") { continue }
      if tag.hasPrefix("/") {
        let last = open.popLast()
        if last != String(tag.dropFirst()) {
          flaws.append("</\(tag.dropFirst())> where </\(last ?? "")> belongs")
        }
        continue
      }
      let element = Self.parse(tag)
      all.append(element)
      if Self.raw.contains(element.name), let close = rest.ranges(of: "</\(element.name)>").first {
        rest = rest[close.upperBound...]
      } else if !tag.hasSuffix("/"), !Self.void.contains(element.name) {
        open.append(element.name)
      }
    }
    if !open.isEmpty { flaws.append("never closed: \(open)") }
  }

  /// The first `>` that is not within quotes.
  private static func end(of text: Substring) -> Substring.Index? {
    var isQuoted = false
    return text.indices.first { index in
      if text[index] == "\"" { isQuoted.toggle() }
      return text[index] == ">" && !isQuoted
    }
  }

  private static func parse(_ tag: Substring) -> Element {
    let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
    var attributes: [String: String] = [:]
    var rest = tag.dropFirst(name.count)
    while let equals = rest.firstIndex(of: "=") {
      let key = rest[..<equals].drop(while: \.isWhitespace)
      let value = rest[equals...].dropFirst(2)
      guard let end = value.firstIndex(of: "\"") else { break }
      attributes[String(key)] = String(value[..<end])
      rest = value[value.index(after: end)...]
    }
    return Element(name: String(name), attributes: attributes)
  }
}
