internal import Cellophane

/// The records of a table as spreadsheets write it.
///
/// The text is UTF-8, or UTF-16 with a byte order mark. Lines end in LF, CRLF or CR. A field in quotes may contain the
/// delimiter, line breaks, and a quote as two quotes. A first line such as `sep=;` names the delimiter.
struct SpreadsheetText {
  /// The text as UTF-8, without a byte order mark and without the line that names the delimiter.
  private let bytes: ArraySlice<UInt8>
  /// The delimiters that the text may have.
  let delimiters: [UInt8]
  private var position: Int
  /// The number of the line at ``position``.
  private var nextLine = 1
  /// The number of the first line of the last record.
  private(set) var line = 0

  init(_ text: [UInt8]) {
    let utf8 = Self.utf8(text)
    let start = utf8.prefix(5)
    // Spreadsheets write semicolons where the decimal separator is a comma.
    guard start.count == 5, start.starts(with: "sep=".utf8), let named = start.last,
      let end = utf8.dropFirst(5).first, Self.endsLine(end)
    else {
      (bytes, delimiters, position) = (utf8, [",", ";", "\t"].map { UInt8(ascii: $0) }, utf8.startIndex)
      return
    }
    (bytes, delimiters, position) = (utf8, [named], utf8.startIndex + 5)
    skipLineBreak()
  }

  /// The first line that is not empty; nil if there is none.
  var firstLine: String? {
    bytes[position...].split(whereSeparator: Self.endsLine).first.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads the next record that has a field with text.
  ///
  /// - Returns: The fields, at least one; nil at the end.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a quoted field without an end.
  mutating func next(_ delimiter: UInt8) throws(LoadError) -> [String]? {
    while position < bytes.endIndex {
      line = nextLine
      let fields = try record(delimiter)
      if fields.contains(where: { !$0.isEmpty }) { return fields }
    }
    return nil
  }

  /// Reads a record with its line break.
  private mutating func record(_ delimiter: UInt8) throws(LoadError) -> [String] {
    var fields: [String] = []
    while true {
      skipSpaces()
      var field: [UInt8] = []
      if position < bytes.endIndex, bytes[position] == Self.quote {
        field = try quoted()
        skipSpaces()
        guard position == bytes.endIndex || bytes[position] == delimiter || Self.endsLine(bytes[position])
        else {
          throw LoadError(.invalidRequest, "a delimiter must follow the closing quote of a field")
        }
      } else {
        let rest = bytes[position...]
        let end = rest.firstIndex { $0 == delimiter || Self.endsLine($0) } ?? rest.endIndex
        field = Array(rest[..<end])
        while field.last == UInt8(ascii: " ") { field.removeLast() }
        position = end
      }
      fields.append(String(decoding: field, as: UTF8.self))
      guard position < bytes.endIndex, bytes[position] == delimiter else {
        skipLineBreak()
        return fields
      }
      position += 1
    }
  }

  /// Reads a field in quotes.
  private mutating func quoted() throws(LoadError) -> [UInt8] {
    var field: [UInt8] = []
    while true {
      position += 1
      guard let end = bytes[position...].firstIndex(of: Self.quote) else {
        throw LoadError(.invalidRequest, "a quoted field has no closing quote")
      }
      let part = bytes[position..<end]
      field += part
      nextLine += part.count { $0 == UInt8(ascii: "\n") }
      position = end + 1
      guard position < bytes.endIndex, bytes[position] == Self.quote else { return field }
      field.append(Self.quote)
    }
  }

  private mutating func skipSpaces() {
    while position < bytes.endIndex, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }

  private mutating func skipLineBreak() {
    guard position < bytes.endIndex else { return }
    let isCR = bytes[position] == UInt8(ascii: "\r")
    position += 1
    if isCR, position < bytes.endIndex, bytes[position] == UInt8(ascii: "\n") { position += 1 }
    nextLine += 1
  }

  private static let quote = UInt8(ascii: "\"")

  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Returns `text` as UTF-8 without its byte order mark.
  private static func utf8(_ text: [UInt8]) -> ArraySlice<UInt8> {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { return text.dropFirst(3) }
    let isBig = text.starts(with: [0xFE, 0xFF])
    guard isBig || text.starts(with: [0xFF, 0xFE]) else { return text[...] }
    let units = stride(from: 2, to: text.count - 1, by: 2).map { index in
      let pair = (UInt16(text[index]), UInt16(text[index + 1]))
      return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)[...]
  }
}

extension SpreadsheetText {
  /// The columns of a list by its heading.
  struct Columns {
    let delimiter: UInt8
    private let names: [String]

    /// The columns with `names`, in lower case. A heading without `bytes` may precede rows with sizes.
    init(delimiter: UInt8, names: [String]) {
      self.delimiter = delimiter
      self.names = names == ["url", "height"] ? names + ["bytes"] : names
    }

    /// Returns the place of the column `name`; nil without such a column.
    subscript(name: String) -> Int? { names.firstIndex(of: name) }

    /// The columns of a list without a heading.
    static let usual = Columns(delimiter: UInt8(ascii: ","), names: ["url", "height", "bytes"])
  }

  /// Reads the heading, which has a column `url`, without regard to case; nil if the first record is none.
  mutating func heading() -> Columns? {
    for delimiter in delimiters {
      var rest = self
      guard let names = try? rest.next(delimiter)?.map({ $0.lowercased() }), names.contains("url") else {
        continue
      }
      self = rest
      return Columns(delimiter: delimiter, names: names)
    }
    return nil
  }
}
