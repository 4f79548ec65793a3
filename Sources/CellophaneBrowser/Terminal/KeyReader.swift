/// An input event of a terminal.
enum Key: Hashable, Sendable {
  /// A typed character, or one Unicode scalar of it.
  case text(String)
  /// Pasted text.
  case paste(String)
  /// A letter with Ctrl.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end, delete
  case enter, escape, tab, backspace
  case wheelUp, wheelDown
}

/// Parses the bytes of a terminal as keys, however the bytes are divided into reads.
struct KeyReader {
  private var bytes: [UInt8] = []
  /// The bytes of an unfinished paste; nil outside of a paste.
  private var pasted: [UInt8]?
  /// The maximum length of pasted text, longer than any search.
  private static let longestPaste = 4_096
  /// The maximum length of a control sequence. Longer input is not a sequence.
  private static let longestSequence = 64

  /// True while a key is incomplete: its end may follow, or it is a single Esc. Call ``flush()`` after
  /// ``sequenceTimeout``.
  var isWaiting: Bool { !bytes.isEmpty }
  /// The maximum wait for the rest of a sequence, which delays a single Esc. 50 ms: enough between two bytes on a slow
  /// connection, and not noticeable.
  static let sequenceTimeout = Duration.milliseconds(50)

  /// Returns the keys that `new` completes.
  mutating func read(_ new: some Sequence<UInt8>) -> [Key] {
    bytes += new
    return take(isComplete: false)
  }

  /// Returns the keys of an incomplete sequence, such as a single Esc.
  mutating func flush() -> [Key] { take(isComplete: true) }

  private mutating func take(isComplete: Bool) -> [Key] {
    var keys: [Key] = []
    var index = 0
    while index < bytes.count {
      guard let (length, key) = next(in: bytes[index...], isComplete: isComplete) else { break }
      index += length
      if let key { keys.append(key) }
    }
    bytes.removeFirst(index)
    return keys
  }

  /// Returns the first key of `rest` and its length; nil if more bytes are needed, and a nil key for unknown input.
  private mutating func next(in rest: ArraySlice<UInt8>, isComplete: Bool) -> (length: Int, key: Key?)? {
    if pasted != nil { return paste(rest) }
    guard let first = rest.first else { return nil }
    switch first {
    case 0x1B: return sequence(rest, isComplete: isComplete)
    case 0x0D, 0x0A: return (1, .enter)
    case 0x09: return (1, .tab)
    case 0x08, 0x7F: return (1, .backspace)
    case 0x01...0x1A: return (1, .control(Character(Unicode.Scalar(first + 0x60))))
    case 0..<0x20: return (1, nil)
    default: return character(rest, isComplete: isComplete)
    }
  }

  private func character(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> (Int, Key?)? {
    let length =
      switch rest[rest.startIndex] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = rest.prefix(length)
    // A truncated character ends where another one begins.
    let count = 1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
    if count < length, bytes.count == count, !isComplete { return nil }
    guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else { return (count, nil) }
    return (count, .text(text))
  }

  // MARK: Sequences

  private mutating func sequence(_ rest: ArraySlice<UInt8>, isComplete: Bool) -> (Int, Key?)? {
    guard let kind = rest.dropFirst().first else { return isComplete ? (1, .escape) : nil }
    let body = rest.dropFirst(2)
    switch kind {
    case UInt8(ascii: "["):
      let parameters = body.prefix { (0x20...0x3F).contains($0) }
      let length = 3 + parameters.count
      guard let final = body.dropFirst(parameters.count).first else {
        return isComplete || length > Self.longestSequence ? (length - 1, nil) : nil
      }
      // An invalid byte ends the sequence before it.
      guard (0x40...0x7E).contains(final) else { return (length - 1, nil) }
      return (length, key(final, String(decoding: parameters, as: UTF8.self)))
    case UInt8(ascii: "O"):
      guard let final = body.first else { return isComplete ? (2, nil) : nil }
      return (3, Self.key(letter: final))
    case 0x1B: return (1, .escape)
    // Esc before another key: Alt with that key.
    default: return (1, .escape)
    }
  }

  private mutating func key(_ final: UInt8, _ parameters: String) -> Key? {
    switch final {
    case UInt8(ascii: "~"):
      switch parameters.prefix(while: \.isNumber) {
      case "1", "7": return .home
      case "3": return .delete
      case "4", "8": return .end
      case "5": return .pageUp
      case "6": return .pageDown
      case "200":
        pasted = []
        return nil
      default: return nil
      }
    case UInt8(ascii: "M") where parameters.hasPrefix("<"): return Self.key(mouse: parameters.dropFirst())
    default: return Self.key(letter: final)
    }
  }

  private static func key(letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  /// Returns the movement of the wheel, with any modifiers (4 Shift, 8 Alt, 16 Ctrl); nil for other buttons.
  private static func key(mouse parameters: Substring) -> Key? {
    guard let button = parameters.split(separator: ";").first.flatMap({ Int($0) }) else { return nil }
    return switch button & ~0b11100 {
    case 64: .wheelUp
    case 65: .wheelDown
    default: nil
    }
  }

  // MARK: Pastes

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func paste(_ rest: ArraySlice<UInt8>) -> (Int, Key?)? {
    let end = rest.firstRange(of: Self.pasteEnd)
    // The last bytes may be the beginning of the end sequence.
    let text = end.map { rest[..<$0.lowerBound] } ?? rest.dropLast(min(rest.count, Self.pasteEnd.count - 1))
    if end == nil, text.isEmpty { return nil }
    var all = pasted ?? []
    all += text.prefix(Self.longestPaste - all.count)
    guard let end else {
      pasted = all
      return (text.count, nil)
    }
    pasted = nil
    return (
      rest.distance(from: rest.startIndex, to: end.upperBound), .paste(String(decoding: all, as: UTF8.self))
    )
  }
}
