/// Splits chunks of bytes into lines. Pure. Blank lines are counted and skipped. White space at the ends of a
/// line is removed, including the carriage return of CRLF.
struct LineSplitter: Sendable {
  /// A line that is not blank.
  struct Line {
    /// The line number, from 1, including blank lines.
    let number: Int
    let bytes: ArraySlice<UInt8>
    /// Whether the line was kept completely. False if it was too long.
    let isComplete: Bool
    /// The number of bytes up to the end of the line, including its line break.
    let end: Int
  }

  /// Whether the first line is longer than that of any list. Devices such as `/dev/zero` never end a line.
  var isEndless: Bool { number == 1 && length > endless }

  /// The default of `endless`. 16 MiB: other files rarely have as many bytes without a line break.
  static let endless = 16 << 20

  private static let lineBreak = UInt8(ascii: "\n")

  private let longest: Int
  private let endless: Int
  private var partial: [UInt8] = []
  /// The number of bytes of the current line, including dropped ones.
  private var length = 0
  private var number = 1
  private var offset = 0

  /// - Parameters:
  ///   - longest: The maximum number of bytes of a line; the rest is dropped.
  ///   - endless: The number of bytes of the first line above which the input is not a list.
  init(longest: Int, endless: Int = Self.endless) {
    self.longest = longest
    self.endless = endless
  }

  /// Passes the lines that end in `chunk` to `take`.
  mutating func split(_ chunk: [UInt8], _ take: (Line) -> Void) {
    var start = chunk.startIndex
    while let end = chunk[start...].firstIndex(of: Self.lineBreak) {
      offset += end + 1 - start
      // Fast path: the chunk contains the complete line, which is not copied.
      if length == 0, end - start <= longest {
        pass(chunk[start..<end], isComplete: true, take)
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

  /// Passes the rest after the last line break to `take`, at the end of the input.
  mutating func end(_ take: (Line) -> Void) {
    pass(partial[...], isComplete: length <= longest, take)
    partial.removeAll(keepingCapacity: true)
    length = 0
  }

  private func pass(_ bytes: ArraySlice<UInt8>, isComplete: Bool, _ take: (Line) -> Void) {
    let bytes = bytes.trimmed
    if bytes.isEmpty { return }
    take(Line(number: number, bytes: bytes, isComplete: isComplete, end: offset))
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    partial += bytes.prefix(longest - partial.count)
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space at the ends, including white space of Unicode.
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
  /// Whether a carriage return is not part of CRLF. Some old files end their lines with a carriage return
  /// alone.
  var hasLoneReturn: Bool {
    var rest = self
    while let index = rest.firstIndex(of: UInt8(ascii: "\r")) {
      rest = rest[(index + 1)...]
      if rest.first != UInt8(ascii: "\n") { return true }
    }
    return false
  }
}

extension UInt8 {
  /// Whether the byte is a space, a tab or a line break of any kind.
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
