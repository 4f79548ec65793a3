/// The members of a JSON object, found in its bytes and left as they are, so that what is carried on keeps every digit
/// and costs no decoding. Pure; linear in the bytes.
struct JSONMembers {
  struct Member {
    /// Decoded.
    let name: String
    /// The bytes of the name with its quotes, and of the value without the white space around it.
    let writtenName: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
  }

  /// In the order in which they stand there.
  let members: [Member]

  /// Why bytes are no object.
  enum Defect: Error {
    case isNotUTF8
    /// By RFC 8259.
    case isNoObject
    /// It may be one.
    case isTooDeep
  }

  /// Values within values. 128: what common readers take, and far from what a stack holds.
  static let deepest = 128

  /// The members of the object that `bytes` are, and nothing else.
  init(_ bytes: ArraySlice<UInt8>) throws(Defect) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .isNotUTF8 }
    var scanner = JSONScanner(rest: bytes)
    scanner.skipBlanks()
    guard let members = scanner.object(), scanner.isAtEnd else {
      throw scanner.isTooDeep ? .isTooDeep : .isNoObject
    }
    self.members = members
  }

  /// The value of the member called `name`; the last one's, where several are.
  subscript(name: String) -> ArraySlice<UInt8>? { members.last { $0.name == name }?.value }

  /// The text that a value is; nil when it is none, half a surrogate pair among it.
  static func text(_ value: ArraySlice<UInt8>) -> String? {
    guard value.first == UInt8(ascii: "\""), value.count >= 2 else { return nil }
    let inner = value.dropFirst().dropLast()
    // Fast path
    if !inner.contains(UInt8(ascii: "\\")) { return String(decoding: inner, as: UTF8.self) }
    return unescaped(inner)
  }

  /// `text`, of which the scanner has seen that the escapes are some; nil when there is half a surrogate pair.
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

/// Goes over JSON by its grammar (RFC 8259).
private struct JSONScanner {
  var rest: ArraySlice<UInt8>
  /// True when there are deeper values than ``JSONMembers/deepest``: nothing behind them was looked at.
  private(set) var isTooDeep = false
  private var depth = 0

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipBlanks() {
    while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      rest = rest.dropFirst()
    }
  }

  /// The members of the object that comes next, and the white space behind it.
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
