/// Numbers that Python and other programs write, and that JSON does not have (RFC 8259, section 6).
enum FiniteNumbers {
  /// `1e999` is more than any floating-point number, so that parsers read it as infinity.
  private static let replacements: [(word: [UInt8], number: [UInt8])] = [
    (Array("NaN".utf8), Array("null".utf8)), (Array("Infinity".utf8), Array("1e999".utf8)),
  ]

  /// Returns `text` with `null` for NaN and `1e999` for Infinity outside of strings; nil if it has no such word.
  static func replacing(in text: ArraySlice<UInt8>) -> [UInt8]? {
    var (result, rest) = ([UInt8](), text)
    var (isInString, isFound) = (false, false)
    while let byte = rest.first {
      if !isInString, result.last.map(separates) ?? true,
        let (word, number) = replacements.first(where: { rest.starts(with: $0.word) }),
        rest.dropFirst(word.count).first.map(separates) ?? true
      {
        result += number
        rest = rest.dropFirst(word.count)
        isFound = true
        continue
      }
      // An escaped character ends no string.
      if isInString, byte == UInt8(ascii: "\\") { result.append(rest.removeFirst()) }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if let byte = rest.popFirst() { result.append(byte) }
    }
    return isFound ? result : nil
  }

  /// Whether a word can start after `byte`, and end before it.
  private static func separates(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "0"..."9", "A"..."Z", "a"..."z", "+", ".": false
    default: true
    }
  }
}
