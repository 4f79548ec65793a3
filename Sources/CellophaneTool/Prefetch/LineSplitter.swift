/// Cuts chunks of bytes into lines. Pure; blank lines are numbered and passed over, white space at the ends of
/// a line is taken off, the carriage return of foreign line ends among it.
struct LineSplitter {
  /// A line that is not blank.
  struct Line: Equatable, Sendable {
    /// From 1, blank lines counted.
    let number: Int
    let text: String
  }

  /// The longest line kept, in bytes; the rest of a longer one is dropped. 128 KB: twice the longest URL
  /// that a request takes, so that such a line still fails as too long.
  static let longest = 128 << 10

  /// True when the last line has become longer than anything that is a list: devices give bytes for ever.
  /// 16 MB: more than a file of another kind is likely to have without a line break.
  var isEndless: Bool { length > 16 << 20 }

  private var partial: [UInt8] = []
  /// The bytes of the last line so far, those that are dropped too.
  private var length = 0
  private var number = 1

  /// The lines that end in `chunk`.
  mutating func split(_ chunk: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    for part in chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      keep(part)
      if let line = end() { lines.append(line) }
      number += 1
    }
    keep(chunk[(chunk.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? chunk.startIndex)...])
    return lines
  }

  /// What follows the last line break, when the input has ended.
  mutating func end() -> Line? {
    defer {
      partial.removeAll(keepingCapacity: true)
      length = 0
    }
    var text = String(decoding: partial, as: UTF8.self)[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text.isEmpty ? nil : Line(number: number, text: String(text))
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    partial += bytes.prefix(Self.longest - partial.count)
  }
}
