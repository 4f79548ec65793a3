#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A scan of JSON text that finds problems which a decoder ignores, with their paths. The result is
/// meaningless if the text is not valid JSON.
struct JSONWalk {
  private enum Level {
    case object(key: String, keys: Set<String>)
    case array(index: Int)
  }

  private let text: [UInt8]
  private var position = 0
  private var levels: [Level] = []
  /// True where the next string is a key of an object.
  private var expectsKey = false

  /// Creates a scan from the beginning of `text`.
  init(_ text: [UInt8]) { self.text = text }

  /// Returns the path of the first key that occurs twice in its object; nil if absent. O(n).
  static func repeatedKey(in text: [UInt8]) -> String? {
    var walk = JSONWalk(text)
    while let byte = walk.next() {
      guard byte == UInt8(ascii: "\""), let key = walk.string() else { continue }
      if walk.enter(key) { return walk.path }
    }
    return nil
  }

  /// Returns the path and the text of the first number whose magnitude exceeds `largest`; nil if there is
  /// none. O(n).
  ///
  /// - Parameter other: Fields of the outermost object that are skipped.
  static func number(beyond largest: Double, in text: [UInt8], except other: Set<String>) -> (
    path: String, text: String
  )? {
    var walk = JSONWalk(text)
    while let byte = walk.next() {
      if byte == UInt8(ascii: "\"") {
        if let key = walk.string() { _ = walk.enter(key) }
      } else if let number = walk.number(from: byte), abs(Double(number) ?? .infinity) > largest {
        if case .object(let key, _)? = walk.levels.first, other.contains(key) { continue }
        return (walk.path, number)
      }
    }
    return nil
  }

  /// The path of the current value: `list.image[1]`.
  private var path: String {
    levels.reduce("") { path, level in
      switch level {
      case .object(let key, _): path.isEmpty ? key : path + "." + key
      case .array(let index): path + "[\(index)]"
      }
    }
  }

  /// Consumes brackets and commas, and returns the next other byte, which is consumed as well; nil at the end. The byte
  /// begins a key or a scalar, or is a colon, white space, or a letter of a literal.
  private mutating func next() -> UInt8? {
    while position < text.count {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"):
        levels.append(.object(key: "", keys: []))
        expectsKey = true
      case UInt8(ascii: "["):
        levels.append(.array(index: 0))
        expectsKey = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = levels.popLast()
        expectsKey = false
      case UInt8(ascii: ","):
        switch levels.popLast() {
        case .array(let index)?: levels.append(.array(index: index + 1))
        case let object?:
          levels.append(object)
          expectsKey = true
        case nil: break
        }
      default: return byte
      }
    }
    return nil
  }

  /// Consumes a string after its opening quotation mark; returns its text if it is a key.
  private mutating func string() -> String? {
    let start = position
    var isEscaped = false
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      if text[position] == UInt8(ascii: "\\") {
        isEscaped = true
        position += 1
      }
      position += 1
    }
    let end = min(position, text.count)
    position = end + 1
    guard expectsKey else { return nil }
    expectsKey = false
    let plain = String(decoding: text[start..<end], as: UTF8.self)
    guard isEscaped else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data("\"\(plain)\"".utf8))) ?? plain
  }

  /// Consumes the rest of a number whose first byte is `byte`; returns its text. Returns nil if `byte` begins
  /// no number.
  private mutating func number(from byte: UInt8) -> String? {
    guard byte == UInt8(ascii: "-") || Self.digits.contains(byte) else { return nil }
    let start = position - 1
    while position < text.count,
      Self.digits.contains(text[position]) || "+-.eE".utf8.contains(text[position])
    {
      position += 1
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// Makes `key` the current key of the innermost object; returns true if the object had it before.
  private mutating func enter(_ key: String) -> Bool {
    guard case .object(_, var keys)? = levels.popLast() else { return false }
    let isNew = keys.insert(key).inserted
    levels.append(.object(key: key, keys: keys))
    return !isNew
  }
}
