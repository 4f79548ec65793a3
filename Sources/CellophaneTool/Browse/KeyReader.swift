/// What somebody does at a terminal.
enum Key: Hashable, Sendable {
  /// A character was typed, or a part of one that goes on.
  case text(String)
  /// Text came from elsewhere.
  case paste(String)
  /// A letter with Ctrl.
  case control(Character)
  case up, down, left, right, pageUp, pageDown, home, end, delete
  case enter, escape, tab, backspace
  case wheelUp, wheelDown
}

/// Turns the bytes of a terminal into keys, in whichever pieces they come.
struct KeyReader {
  private var bytes: [UInt8] = []
  /// What was pasted so far; nil outside of a paste.
  private var pasted: [UInt8]?
  /// The most of a paste that is kept: no line that is searched for is as long.
  private static let longestPaste = 4_096
  /// Longer ones are none.
  private static let longestSequence = 64

  /// True while a key has begun whose end, or whose being alone, is not known. After ``patience``, ``flush()`` decides.
  var isWaiting: Bool { !bytes.isEmpty }
  /// How long the rest of a sequence may take; a lone Esc is told so much later. 50 ms: what a slow line takes between two
  /// bytes, and nobody notices.
  static let patience = Duration.milliseconds(50)

  /// The keys that `new` completes.
  mutating func read(_ new: some Sequence<UInt8>) -> [Key] {
    bytes += new
    return take(isComplete: false)
  }

  /// What has begun was all: a lone Esc.
  mutating func flush() -> [Key] { take(isComplete: true) }

  private mutating func take(isComplete: Bool) -> [Key] {
    var keys: [Key] = []
    var place = 0
    while place < bytes.count {
      guard let (length, key) = next(in: bytes[place...], isComplete: isComplete) else { break }
      place += length
      if let key { keys.append(key) }
    }
    bytes.removeFirst(place)
    return keys
  }

  /// The first key of `rest` and its length; nil when more bytes must come, a nil key for what is none.
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
    // Another character may begin where this one should have gone on.
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
      // A sequence that another byte breaks off ends before it.
      guard (0x40...0x7E).contains(final) else { return (length - 1, nil) }
      return (length, key(final, String(decoding: parameters, as: UTF8.self)))
    case UInt8(ascii: "O"):
      guard let final = body.first else { return isComplete ? (2, nil) : nil }
      return (3, Self.key(letter: final))
    case 0x1B: return (1, .escape)
    // A key with Alt: Esc and the key.
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

  /// The wheel, with whichever modifiers (4 Shift, 8 Alt, 16 Ctrl); other buttons are none of ours.
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
    // The beginning of the end may be there.
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
