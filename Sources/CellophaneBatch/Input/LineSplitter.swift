/// Cuts chunks of bytes into lines. Pure; blank lines are numbered and passed over, white space at the ends of
/// a line is taken off, the carriage return of foreign line ends among it.
struct LineSplitter: Sendable {
  /// A line that is not blank.
  struct Line {
    /// From 1, blank lines counted.
    let number: Int
    let bytes: ArraySlice<UInt8>
    /// False when the rest was dropped.
    let isWhole: Bool
    /// The bytes up to the end of the line, and of the break behind it.
    let end: Int
  }

  /// True when the first line has become longer than that of anything that is a list: devices give bytes for ever.
  var isEndless: Bool { number == 1 && length > endless }

  /// 16 MiB: more than a file of another kind is likely to have without a line break.
  static let endless = 16 << 20

  private static let lineBreak = UInt8(ascii: "\n")

  private let longest: Int
  private let endless: Int
  private var partial: [UInt8] = []
  /// The bytes of the last line so far, those that are dropped too.
  private var length = 0
  private var number = 1
  private var offset = 0

  /// Keeps at most so many bytes of a line; the rest is dropped. More than `endless` are no first line.
  init(longest: Int, endless: Int = Self.endless) {
    self.longest = longest
    self.endless = endless
  }

  /// Hands over the lines that end in `chunk`.
  mutating func split(_ chunk: [UInt8], _ take: (Line) -> Void) {
    var start = chunk.startIndex
    while let end = chunk[start...].firstIndex(of: Self.lineBreak) {
      offset += end + 1 - start
      // Fast path: the line is whole in the chunk, and is not copied.
      if length == 0, end - start <= longest {
        hand(over: chunk[start..<end], isWhole: true, take)
      } else {
        keep(chunk[start..<end])
        self.end(take)
      }
      number += 1
      start = end + 1
    }
    offset += chunk.endIndex - start
    keep(chunk[start...])
  }

  /// Hands over what follows the last line break, when the input has ended.
  mutating func end(_ take: (Line) -> Void) {
    hand(over: partial[...], isWhole: length <= longest, take)
    partial.removeAll(keepingCapacity: true)
    length = 0
  }

  private func hand(over bytes: ArraySlice<UInt8>, isWhole: Bool, _ take: (Line) -> Void) {
    let bytes = bytes.trimmed
    if bytes.isEmpty { return }
    take(Line(number: number, bytes: bytes, isWhole: isWhole, end: offset))
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    partial += bytes.prefix(longest - partial.count)
  }
}

extension ArraySlice<UInt8> {
  /// Without white space at the ends, in ASCII or not.
  var trimmed: ArraySlice {
    var bytes = self
    while let first = bytes.first, first.isBlank { bytes = bytes.dropFirst() }
    while let last = bytes.last, last.isBlank { bytes = bytes.dropLast() }
    // Fast path
    guard let first = bytes.first, let last = bytes.last, first | last >= 0x80 else { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return bytes }
    let front = text.prefix(while: \.isWhitespace).utf8.count
    let back = text.reversed().prefix(while: \.isWhitespace).reduce(0) { $0 + $1.utf8.count }
    return bytes.dropFirst(front).dropLast(back)
  }
}

extension ArraySlice<UInt8> {
  /// True with a carriage return that is no part of a line break: old lists end their lines so.
  var hasLoneReturn: Bool {
    var rest = self
    while let place = rest.firstIndex(of: UInt8(ascii: "\r")) {
      rest = rest[(place + 1)...]
      if rest.first != UInt8(ascii: "\n") { return true }
    }
    return false
  }
}

extension UInt8 {
  /// A blank, a tab, a line break of any kind.
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
