#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Walks through JSON text and tells where something is that a decoder passes over. What is not JSON is walked through
/// as well, but nothing that is found means anything.
struct JSONWalk {
  private enum Level {
    case object(key: String, keys: Set<String>)
    case array(index: Int)
  }

  private let text: [UInt8]
  private var place = 0
  private var levels: [Level] = []
  /// True where an object's next key can be.
  private var expectsKey = false

  /// A walk through `text`, from its beginning.
  init(_ text: [UInt8]) { self.text = text }

  /// The path of the first key that its object has twice; nil when there is none. O(n).
  static func repeatedKey(in text: [UInt8]) -> String? {
    var walk = JSONWalk(text)
    while let byte = walk.next() {
      guard byte == UInt8(ascii: "\""), let key = walk.string() else { continue }
      if walk.enter(key) { return walk.path }
    }
    return nil
  }

  /// The path and the text of the first number beyond `largest` either way that is not in one of the `other` fields of
  /// the outermost object; nil when there is none. O(n).
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

  /// Where the walk is: `list.image[1]`.
  private var path: String {
    levels.reduce("") { path, level in
      switch level {
      case .object(let key, _): path.isEmpty ? key : path + "." + key
      case .array(let index): path + "[\(index)]"
      }
    }
  }

  /// Passes over what only gives structure; the byte that begins anything else, which is passed, or nil at the end.
  private mutating func next() -> UInt8? {
    while place < text.count {
      let byte = text[place]
      place += 1
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

  /// Passes over the string whose quotation mark has been passed; its text, if it is a key.
  private mutating func string() -> String? {
    let start = place
    var isEscaped = false
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      if text[place] == UInt8(ascii: "\\") {
        isEscaped = true
        place += 1
      }
      place += 1
    }
    let end = min(place, text.count)
    place = end + 1
    guard expectsKey else { return nil }
    expectsKey = false
    let plain = String(decoding: text[start..<end], as: UTF8.self)
    guard isEscaped else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data("\"\(plain)\"".utf8))) ?? plain
  }

  /// The text of the number that begins with `byte`, which has been passed; nil when none does.
  private mutating func number(from byte: UInt8) -> String? {
    guard byte == UInt8(ascii: "-") || Self.digits.contains(byte) else { return nil }
    let start = place - 1
    while place < text.count, Self.digits.contains(text[place]) || "+-.eE".utf8.contains(text[place]) {
      place += 1
    }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// Notes that the innermost object's value of `key` follows; true when it has had one before.
  private mutating func enter(_ key: String) -> Bool {
    guard case .object(_, var keys)? = levels.popLast() else { return false }
    let isNew = keys.insert(key).inserted
    levels.append(.object(key: key, keys: keys))
    return !isNew
  }
}
