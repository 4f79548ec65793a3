import Testing

/// The elements of an HTML page, as far as tests have to know them. Read byte by byte: pages are long, and there are many.
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
    let page = Array(page.utf8)
    var open: [String] = []
    var rest = page[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      guard let end = Self.end(of: rest) else {
        flaws.append("a tag without an end")
        return
      }
      let tag = rest[..<end]
      rest = rest[(end + 1)...]
      if tag.first == UInt8(ascii: "!") { continue }
      if tag.first == UInt8(ascii: "/") {
        let (name, last) = (String(decoding: tag.dropFirst(), as: UTF8.self), open.popLast())
        if last != name { flaws.append("</\(name)> where </\(last ?? "")> belongs") }
        continue
      }
      let element = Self.parse(tag)
      all.append(element)
      if Self.raw.contains(element.name), let close = Self.place(of: "</\(element.name)>", in: rest) {
        rest = rest[close...].dropFirst(element.name.utf8.count + 3)
      } else if tag.last != UInt8(ascii: "/"), !Self.void.contains(element.name) {
        open.append(element.name)
      }
    }
    if !open.isEmpty { flaws.append("never closed: \(open)") }
  }

  /// A page that was made of something hostile is one as any other, and takes none of it for its own.
  static func checkPage(_ page: String, _ what: String) {
    let elements = Elements(page)
    #expect(elements.flaws == [], "\(what)")
    #expect(elements.all.count { $0.name == "script" } == 1, "\(what)")
    #expect(
      elements.all.allSatisfy { element in !["img", "iframe", "b2"].contains(element.name) }, "\(what)")
    let attributes = elements.all.flatMap(\.attributes.values)
    #expect(!attributes.contains { $0.contains("NaN") || $0.contains("inf") }, "\(what)")
    #expect(
      !page.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }, "\(what)")
  }

  /// The first `>` that is not within quotes.
  private static func end(of text: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for index in text.indices {
      if text[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if text[index] == UInt8(ascii: ">"), !isQuoted { return index }
    }
    return nil
  }

  /// Where `word`, which begins with `<`, is in `text` for the first time.
  private static func place(of word: String, in text: ArraySlice<UInt8>) -> Int? {
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: word.utf8) { return start }
      rest = rest.dropFirst()
    }
    return nil
  }

  private static func parse(_ tag: ArraySlice<UInt8>) -> Element {
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let spaces = Set(" \n\t".utf8)
    let name = tag.prefix { !spaces.contains($0) && $0 != UInt8(ascii: "/") }
    var attributes: [String: String] = [:]
    var rest = tag.dropFirst(name.count)
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = rest[..<equals].drop(while: spaces.contains)
      let value = rest[equals...].dropFirst(2)
      guard let end = value.firstIndex(of: UInt8(ascii: "\"")) else { break }
      attributes[text(key)] = text(value[..<end])
      rest = value[(end + 1)...]
    }
    return Element(name: text(name), attributes: attributes)
  }
}
