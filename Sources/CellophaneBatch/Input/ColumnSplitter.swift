/// Splits chunks of bytes into records of fields by RFC 4180: delimiters and line breaks separate fields,
/// except within quotes, where two quotes are one quote character. Pure.
///
/// As other parsers do, it accepts more than the RFC: a quote within an unquoted field, and text after a
/// closing quote, are literal.
struct ColumnSplitter: Sendable {
  /// A record that is not blank.
  struct Record {
    /// The number of its first line, from 1.
    let line: Int
    /// The number of its last line.
    let lastLine: Int
    /// The concatenated fields without their quotes.
    fileprivate let bytes: [UInt8]
    /// The end of each field.
    fileprivate let ends: [Int]
    /// The reason why the record is incomplete, or nil.
    let defect: Defect?
    /// The number of bytes up to the end of the record, including its line break.
    let end: Int

    var count: Int { ends.count }

    /// True for delimiters alone, as spreadsheets write rows that were cleared.
    var isBlank: Bool { count > 1 && defect == nil && bytes[...].trimmed.isEmpty }

    subscript(field: Int) -> ArraySlice<UInt8> { bytes[(field == 0 ? 0 : ends[field - 1])..<ends[field]] }
  }

  enum Defect {
    case isTooLong
    /// The input ends within quotes.
    case isOpen
  }

  private enum State {
    case fieldStart, plain, quoted
    /// After a quote that ends a field or is the first of two.
    case closing
    /// After a carriage return, which belongs to a line break if a line feed follows.
    case carriageReturn
    /// Beyond the maximum length, up to the next line break: an unclosed quote must not consume the rest of
    /// the list.
    case skipping
  }

  /// Whether the first line is so long that the input is not a list.
  var isEndless: Bool { line == 1 && sinceBreak > endless }

  private let delimiter: UInt8
  private let longest: Int
  private let endless: Int
  private var state = State.fieldStart
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hasQuotes = false
  /// The number of bytes of the current record.
  private var length = 0
  private var sinceBreak = 0
  private var line = 1
  private var firstLine = 1
  private var offset = 0

  /// - Parameters:
  ///   - longest: The maximum number of bytes of a record; the rest is dropped.
  ///   - endless: The number of bytes of the first line above which the input is not a list.
  init(delimiter: UInt8, longest: Int, endless: Int) {
    self.delimiter = delimiter
    self.longest = longest
    self.endless = endless
  }

  /// Passes the records that end in `chunk` to `take`.
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

  /// Passes the rest after the last line break to `take`, at the end of the input.
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
