/// The texts of elements in the XML answers of S3.
///
/// Not a general XML parser: it reads the start tags, end tags and texts of a document and ignores the rest. It needs no
/// recursion, and time in proportion to the document, whose length the transport limits.
package enum S3XML {
  /// Returns the name of the root element, which white space may precede; nil for another text.
  static func root(of document: [UInt8]) -> String? {
    guard document.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
    var reader = S3XMLReader(document)
    while let token = reader.next() {
      if case .start(let name) = token { return name }
    }
    return nil
  }

  /// Returns the text of the first element with this name; nil without one.
  package static func text(of name: String, in document: [UInt8]) -> String? {
    var reader = S3XMLReader(document)
    while let token = reader.next() {
      if case .start(name) = token { return reader.text() }
    }
    return nil
  }

  /// Returns, for each element `group`, the texts of its elements among `names`. Of several with one name, the first one
  /// counts.
  package static func groups(_ group: String, of names: Set<String>, in document: [UInt8]) -> [[String:
    String]]
  {
    var reader = S3XMLReader(document)
    var groups: [[String: String]] = []
    var current: [String: String]?
    while let token = reader.next() {
      switch token {
      case .start(group): current = [:]
      case .start(let name):
        guard current != nil, names.contains(name), current?[name] == nil else { continue }
        current?[name] = reader.text()
      case .end(group):
        if let current { groups.append(current) }
        current = nil
      case .end: break
      }
    }
    return groups
  }
}

/// The tags of a document, one after the other.
struct S3XMLReader {
  enum Token: Equatable {
    case start(String)
    case end(String)
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The end of an element without content, after its start.
  private var pending: Token?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next tag; nil at the end, or if the rest is not well-formed.
  mutating func next() -> Token? {
    if let token = pending.take() { return token }
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      if starts(with: "<!--", at: start) {
        guard let end = end(of: "-->", from: start + 4) else { return nil }
        position = end
        continue
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      position = end + 1
      let tag = bytes[(start + 1)..<end]
      switch tag.first {
      // The declaration and the document type.
      case UInt8(ascii: "?"), UInt8(ascii: "!"), nil: continue
      case UInt8(ascii: "/"): return .end(Self.name(tag.dropFirst()))
      default:
        let name = Self.name(tag)
        if tag.last == UInt8(ascii: "/") { pending = .end(name) }
        return .start(name)
      }
    }
    return nil
  }

  /// Returns the text up to the next tag.
  func text() -> String {
    if pending != nil { return "" }
    return Self.decoded(bytes[position...].prefix { $0 != UInt8(ascii: "<") })
  }

  private static func name(_ tag: ArraySlice<UInt8>) -> String {
    String(decoding: tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
  }

  private func starts(with text: StaticString, at index: Int) -> Bool {
    bytes[index...].starts(with: text.description.utf8)
  }

  private func end(of text: StaticString, from start: Int) -> Int? {
    var index = start
    let length = text.utf8CodeUnitCount
    while index + length <= bytes.count {
      if starts(with: text, at: index) { return index + length }
      index += 1
    }
    return nil
  }

  /// Replaces the references to characters: `&amp;`, `&#38;` and `&#x26;`. Others stay as they are.
  private static func decoded(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    var rest = text
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<ampersand]
      rest = rest[ampersand...]
      // The longest reference, &#x10FFFF;, has ten characters.
      guard let semicolon = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: rest[(ampersand + 1)..<semicolon], as: UTF8.self))
      else {
        result.append(UInt8(ascii: "&"))
        rest = rest.dropFirst()
        continue
      }
      result += Array(String(character).utf8)
      rest = rest[(semicolon + 1)...]
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  private static func character(_ reference: String) -> Unicode.Scalar? {
    switch reference {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default:
      if reference.hasPrefix("#x") {
        UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      } else if reference.hasPrefix("#") {
        UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init)
      } else {
        nil
      }
    }
  }
}
