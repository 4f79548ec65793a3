/// The members of a JSON object as slices of its bytes. Copied members keep every digit and need no decoding.
/// Pure; linear in the number of bytes.
struct JSONMembers {
  struct Member {
    /// The decoded name.
    let name: String
    /// The bytes of the name with its quotes.
    let writtenName: ArraySlice<UInt8>
    /// The bytes of the value without surrounding white space.
    let value: ArraySlice<UInt8>
  }

  /// The members in the order of the text.
  let members: [Member]

  /// The reason why bytes are not an object.
  enum Defect: Error {
    case isNotUTF8
    /// Not a JSON object by RFC 8259.
    case isNoObject
    /// Nested deeper than ``JSONMembers/deepest``, and possibly an object.
    case isTooDeep
  }

  /// The maximum depth of nested values. 128: common parsers accept it, and it is far below the limit of the
  /// stack.
  static let deepest = 128

  /// Parses `bytes`, which must be one object.
  init(_ bytes: ArraySlice<UInt8>) throws(Defect) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .isNotUTF8 }
    var scanner = JSONScanner(rest: bytes)
    scanner.skipBlanks()
    guard let members = scanner.object(), scanner.isAtEnd else {
      throw scanner.isTooDeep ? .isTooDeep : .isNoObject
    }
    self.members = members
  }

  /// The value of the last member with this name.
  subscript(name: String) -> ArraySlice<UInt8>? { members.last { $0.name == name }?.value }

  /// Returns the text of the member `name` in `members`, which have no braces: a string without quotes, empty text for
  /// null, and another value as it is written. Nil without such a member.
  static func text(of name: String, in members: [UInt8]) -> String? {
    let object = [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
    guard let value = (try? JSONMembers(object[...]))?[name] else { return nil }
    return text(value) ?? (value.elementsEqual("null".utf8) ? "" : String(decoding: value, as: UTF8.self))
  }

  /// Returns the decoded string of a value, or nil for another type and for unpaired surrogates.
  static func text(_ value: ArraySlice<UInt8>) -> String? {
    guard value.first == UInt8(ascii: "\""), value.count >= 2 else { return nil }
    let inner = value.dropFirst().dropLast()
    // Fast path
    if !inner.contains(UInt8(ascii: "\\")) { return String(decoding: inner, as: UTF8.self) }
    return unescaped(inner)
  }

  /// Returns `text` without escape sequences, which the scanner has validated; nil for unpaired surrogates.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> String? {
    var units: [UInt16] = []
    var rest = text
    while let mark = rest.firstIndex(of: UInt8(ascii: "\\")) {
      units += String(decoding: rest[..<mark], as: UTF8.self).utf16
      rest = rest[(mark + 1)...]
      switch rest.removeFirst() {
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
      case let itself: units.append(UInt16(itself))
      }
    }
    units += String(decoding: rest, as: UTF8.self).utf16
    return String(validating: units, as: UTF16.self)
  }
}

/// A scanner of the JSON grammar (RFC 8259).
private struct JSONScanner {
  var rest: ArraySlice<UInt8>
  /// Whether the scanner stopped at a value deeper than ``JSONMembers/deepest``.
  private(set) var isTooDeep = false
  private var depth = 0

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipBlanks() {
    while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      rest = rest.dropFirst()
    }
  }

  /// Scans an object and the white space after it. Returns its members, or nil for invalid JSON.
  mutating func object() -> [JSONMembers.Member]? {
    guard take("{") else { return nil }
    var members: [JSONMembers.Member] = []
    skipBlanks()
    if take("}") { return end(members) }
    while true {
      skipBlanks()
      let start = rest
      guard string() else { return nil }
      let name = start[..<rest.startIndex]
      skipBlanks()
      guard take(":") else { return nil }
      skipBlanks()
      let beginning = rest
      guard value() else { return nil }
      members.append(
        JSONMembers.Member(
          name: JSONMembers.text(name) ?? "", writtenName: name, value: beginning[..<rest.startIndex]))
      skipBlanks()
      if take(",") { continue }
      return take("}") ? end(members) : nil
    }
  }

  private mutating func end(_ members: [JSONMembers.Member]) -> [JSONMembers.Member] {
    skipBlanks()
    return members
  }

  private mutating func value() -> Bool {
    switch rest.first {
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < JSONMembers.deepest else {
        isTooDeep = true
        return false
      }
      depth += 1
      defer { depth -= 1 }
      return rest.first == UInt8(ascii: "[") ? array() : nested()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func nested() -> Bool {
    guard take("{") else { return false }
    skipBlanks()
    if take("}") { return true }
    while true {
      skipBlanks()
      guard string() else { return false }
      skipBlanks()
      guard take(":") else { return false }
      skipBlanks()
      guard value() else { return false }
      skipBlanks()
      if take(",") { continue }
      return take("}")
    }
  }

  private mutating func array() -> Bool {
    guard take("[") else { return false }
    skipBlanks()
    if take("]") { return true }
    while true {
      skipBlanks()
      guard value() else { return false }
      skipBlanks()
      if take(",") { continue }
      return take("]")
    }
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return false }
        if escaped == UInt8(ascii: "u") {
          let digits = rest.prefix(4)
          guard digits.count == 4, digits.allSatisfy(\.isHexadecimal) else { return false }
          rest = rest.dropFirst(4)
        } else if !"\"\\/bfnrt".utf8.contains(escaped) {
          return false
        }
      case ..<0x20: return false
      default: break
      }
    }
    return false
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0"), !digits() { return false }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let count = rest.prefix(while: \.isDigit).count
    rest = rest.dropFirst(count)
    return count > 0
  }

  private mutating func word(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isHexadecimal: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
