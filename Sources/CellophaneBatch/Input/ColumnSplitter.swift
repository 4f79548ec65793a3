/// Cuts chunks of bytes into records of fields, as RFC 4180 writes them: between delimiters and line breaks, unless they
/// stand in quotes, where two quotes are one. Pure.
///
/// More is accepted than the RFC says, as by what reads such files elsewhere: a quote within a field that does not begin
/// with one is itself, and so is what follows the closing one.
struct ColumnSplitter: Sendable {
  /// A record that is not blank.
  struct Record {
    /// The number of its first line, from 1.
    let line: Int
    /// That of its last.
    let lastLine: Int
    /// The fields without their quotes, one behind the other.
    fileprivate let bytes: [UInt8]
    /// Where each ends.
    fileprivate let ends: [Int]
    /// Why it is not whole.
    let defect: Defect?
    /// The bytes up to its end, and of the line break behind it.
    let end: Int

    var count: Int { ends.count }

    subscript(field: Int) -> ArraySlice<UInt8> { bytes[(field == 0 ? 0 : ends[field - 1])..<ends[field]] }
  }

  enum Defect {
    case isTooLong
    /// The input ends within quotes.
    case isOpen
  }

  private enum State {
    case fieldStart, plain, quoted
    /// Behind a quote that ends a field, or is the first of two.
    case closing
    /// Behind a carriage return, which belongs to the line break if that follows.
    case carriageReturn
    /// Behind what is kept, up to the next line break: a quote that is never closed must not take the rest of the list.
    case skipping
  }

  /// True when the first line has become so long that this is no list.
  var isEndless: Bool { line == 1 && sinceBreak > endless }

  private let delimiter: UInt8
  private let longest: Int
  private let endless: Int
  private var state = State.fieldStart
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hasQuotes = false
  /// The bytes of the record so far.
  private var length = 0
  private var sinceBreak = 0
  private var line = 1
  private var firstLine = 1
  private var offset = 0

  /// Keeps at most so many bytes of a record. More than `endless` are no first line.
  init(delimiter: UInt8, longest: Int, endless: Int) {
    self.delimiter = delimiter
    self.longest = longest
    self.endless = endless
  }

  /// Hands over the records that end in `chunk`.
  mutating func split(_ chunk: [UInt8], _ take: (Record) -> Void) {
    for byte in chunk {
      offset += 1
      length += 1
      sinceBreak += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        sinceBreak = 0
      }
      if length > longest, state != .skipping, byte != UInt8(ascii: "\n") { state = .skipping }
      consume(byte, take)
    }
  }

  /// Hands over what follows the last line break, when the input has ended.
  mutating func end(_ take: (Record) -> Void) {
    guard length > 0 else { return }
    finish(state == .quoted ? .isOpen : nil, take)
  }

  private mutating func consume(_ byte: UInt8, _ take: (Record) -> Void) {
    switch (state, byte) {
    case (.skipping, UInt8(ascii: "\n")): finish(nil, take)
    case (.skipping, _): break
    case (.quoted, UInt8(ascii: "\"")): state = .closing
    case (.quoted, _): bytes.append(byte)
    case (.closing, UInt8(ascii: "\"")):
      bytes.append(byte)
      state = .quoted
    case (.fieldStart, UInt8(ascii: "\"")):
      hasQuotes = true
      state = .quoted
    case (_, UInt8(ascii: "\n")): finish(nil, take)
    case (.carriageReturn, _):
      bytes.append(UInt8(ascii: "\r"))
      state = .plain
      consume(byte, take)
    case (_, delimiter):
      ends.append(bytes.count)
      state = .fieldStart
    case (_, UInt8(ascii: "\r")): state = .carriageReturn
    default:
      bytes.append(byte)
      state = .plain
    }
  }

  private mutating func finish(_ defect: Defect?, _ take: (Record) -> Void) {
    let defect = state == .skipping ? .isTooLong : defect
    ends.append(bytes.count)
    if hasQuotes || ends.count > 1 || defect != nil || !bytes[...].trimmed.isEmpty {
      let last = sinceBreak == 0 ? line - 1 : line
      take(Record(line: firstLine, lastLine: last, bytes: bytes, ends: ends, defect: defect, end: offset))
    }
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    (state, hasQuotes, length, firstLine) = (.fieldStart, false, 0, line)
  }
}
