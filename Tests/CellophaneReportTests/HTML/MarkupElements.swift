import Testing

/// The elements of an HTML page or an SVG image. A minimal parser over bytes, because tests parse many long pages.
struct MarkupElements {
  /// One start tag.
  struct Element {
    let name: String
    let attributes: [String: String]
  }

  private(set) var all: [Element] = []
  /// The errors in the nesting of elements; empty for a well-formed page.
  private(set) var errors: [String] = []

  /// The elements without an end tag (HTML, section 13.1.2).
  private static let void: Set<String> = ["meta", "br", "hr", "img", "link", "input"]
  /// The elements with text that is not markup.
  private static let raw: Set<String> = ["style", "script"]

  init(_ page: String) {
    let page = Array(page.utf8)
    var open: [String] = []
    var rest = page[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      guard let end = Self.end(of: rest) else {
        errors.append("a tag without an end")
        return
      }
      let tag = rest[..<end]
      rest = rest[(end + 1)...]
      if tag.first == UInt8(ascii: "!") { continue }
      if tag.first == UInt8(ascii: "/") {
        let (name, last) = (String(decoding: tag.dropFirst(), as: UTF8.self), open.popLast())
        if last != name { errors.append("</\(name)> instead of </\(last ?? "")>") }
        continue
      }
      let element = Self.parse(tag)
      all.append(element)
      if Self.raw.contains(element.name), let close = Self.index(of: "</\(element.name)>", in: rest) {
        rest = rest[close...].dropFirst(element.name.utf8.count + 3)
      } else if tag.last != UInt8(ascii: "/"), !Self.void.contains(element.name) {
        open.append(element.name)
      }
    }
    if !open.isEmpty { errors.append("unclosed elements: \(open)") }
  }

  /// Expects that the page of a hostile `input` is well-formed, and that no markup of the input is in it.
  static func expectSafePage(_ page: String, _ input: String) {
    let elements = MarkupElements(page)
    #expect(elements.errors == [], "\(input)")
    #expect(elements.all.count { $0.name == "script" } == 2, "\(input)")
    #expect(
      elements.all.allSatisfy { element in !["img", "iframe", "b2"].contains(element.name) }, "\(input)")
    let attributes = elements.all.flatMap(\.attributes.values)
    #expect(!attributes.contains { $0.contains("NaN") || $0.contains("inf") }, "\(input)")
    #expect(
      !page.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }, "\(input)")
  }

  /// Returns the index of the first `>` outside quotes.
  private static func end(of text: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for index in text.indices {
      if text[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if text[index] == UInt8(ascii: ">"), !isQuoted { return index }
    }
    return nil
  }

  /// Returns the index of the first occurrence of `word`, which begins with `<`.
  private static func index(of word: String, in text: ArraySlice<UInt8>) -> Int? {
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
