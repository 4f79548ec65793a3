package import Cellophane

/// Makes records of the bytes of a list, chunk by chunk. Pure. What is wrong with a line is said by its record; what is
/// wrong with all of the list is thrown.
package struct ListReader: Sendable {
  private enum Splitter: Sendable {
    case lines(LineSplitter)
    case columns(ColumnSplitter)
  }

  /// The command of the tool that reads it, for what errors advise.
  package var command = "prefetch"
  private let format: ListFormat
  private let field: FieldName
  /// Takes the failures among the results of an earlier run.
  private let isRetrying: Bool
  private let endless: Int
  private var splitter: Splitter
  /// The first bytes, until they tell that they are none of ``marks``.
  private var beginning: [UInt8]? = []
  private var header: ListHeader?
  private var position = 0

  package init(_ format: ListFormat, field: FieldName = .url) {
    self.init(format, field: field, endless: LineSplitter.endless)
  }

  /// Reads the results of an earlier run, and takes the lines that failed in a way that may pass, under the numbers that
  /// they had.
  package static func retrying() -> ListReader {
    ListReader(.jsonl, field: .url, isRetrying: true, endless: LineSplitter.endless)
  }

  init(_ format: ListFormat, field: FieldName, isRetrying: Bool = false, endless: Int) {
    self.isRetrying = isRetrying
    self.endless = endless
    self.format = format
    self.field = field
    splitter =
      switch format {
      case .lines, .jsonl: .lines(LineSplitter(longest: format.longestRecord, endless: endless))
      case .csv:
        .columns(
          ColumnSplitter(delimiter: UInt8(ascii: ","), longest: format.longestRecord, endless: endless))
      case .tsv:
        .columns(
          ColumnSplitter(delimiter: UInt8(ascii: "\t"), longest: format.longestRecord, endless: endless))
      }
  }

  /// The records that end in `chunk`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when the list is compressed, is UTF-16, or has no such column;
  ///   ``LoadError/Kind/io`` when it is none.
  package mutating func read(_ chunk: [UInt8]) throws(LoadError) -> [ListRecord] {
    let chunk = try begun(with: chunk)
    switch splitter {
    case .lines(var lines):
      var records: [ListRecord] = []
      // Otherwise it would be copied.
      splitter = .lines(LineSplitter(longest: 0))
      lines.split(chunk) { if let record = record($0) { records.append(record) } }
      splitter = .lines(lines)
      if lines.isEndless { throw .noList(endless) }
      return records
    case .columns(var columns):
      var found: [ColumnSplitter.Record] = []
      splitter = .lines(LineSplitter(longest: 0))
      columns.split(chunk) { found.append($0) }
      splitter = .columns(columns)
      if columns.isEndless { throw .noList(endless) }
      return try records(found)
    }
  }

  /// The record behind the last line break, when the list has ended.
  ///
  /// - Throws: as ``read(_:)``.
  package mutating func finish() throws(LoadError) -> [ListRecord] {
    // Fewer bytes than any mark has.
    var records: [ListRecord] = []
    if let rest = beginning {
      beginning = nil
      records = try read(rest)
    }
    switch splitter {
    case .lines(var lines): lines.end { if let record = record($0) { records.append(record) } }
    case .columns(var columns):
      var found: [ColumnSplitter.Record] = []
      columns.end { found.append($0) }
      records += try self.records(found)
    }
    return records
  }

  // What stands before the first line: a byte order mark, or what files begin with that another program must read first.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let marks: [(bytes: [UInt8], obstacle: (name: String, program: String)?)] = [
    (byteOrderMark, nil), ([0x1F, 0x8B], ("compressed", "gzip -dc")),
    ([0x28, 0xB5, 0x2F, 0xFD], ("compressed", "zstd -dc")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], ("compressed", "xz -dc")),
    (Array("BZh".utf8), ("compressed", "bzip2 -dc")), ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
  ]
  private static let utf16 = (name: "UTF-16", program: "iconv -f UTF-16 -t UTF-8")

  /// `chunk`, and what was held back before it, once that is enough to tell what the list begins with.
  private mutating func begun(with chunk: [UInt8]) throws(LoadError) -> [UInt8] {
    guard let former = beginning else { return chunk }
    let bytes = former + chunk
    for mark in Self.marks {
      if bytes.starts(with: mark.bytes) {
        if let (name, program) = mark.obstacle {
          throw LoadError(
            .invalidRequest, "it is \(name); pipe it: \(program) LIST | cellophane \(command) -")
        }
        beginning = nil
        return Array(bytes.dropFirst(mark.bytes.count))
      }
      if mark.bytes.starts(with: bytes) {
        beginning = bytes
        return []
      }
    }
    beginning = nil
    return bytes
  }

  private mutating func next() -> Int {
    defer { position += 1 }
    return position
  }

  /// Nil for a result that is not to be had again.
  private mutating func record(_ line: LineSplitter.Line) -> ListRecord? {
    if isRetrying, let result = try? JSONMembers(line.bytes), result["outcome"] != nil {
      return EarlierResult(result).map { earlier in
        ListRecord(
          position: next(), line: earlier.index ?? line.number, url: earlier.url, carried: earlier.carried,
          end: line.end)
      }
    }
    var record = ListRecord(position: next(), line: line.number, end: line.end)
    if isRetrying {
      record.defect = LoadError(.invalidRequest, "the line is no result of an earlier run")
      return record
    }
    guard format == .jsonl else {
      let url = String(validating: line.bytes, as: UTF8.self)
      // Half a character at the end of what was cut off is no defect of its own.
      if url == nil, line.isWhole { record.defect = .notUTF8("line") }
      if line.bytes.hasLoneReturn {
        record.defect = LoadError(
          .invalidRequest,
          "the line has a carriage return within; if lines end so, tr '\\r' '\\n' makes line breaks of these")
      }
      record.url = url ?? String(decoding: line.bytes, as: UTF8.self)
      return record
    }
    guard line.isWhole else {
      record.defect = .tooLong(format)
      return record
    }
    let object: JSONMembers
    do throws(JSONMembers.Defect) { object = try JSONMembers(line.bytes) } catch {
      record.defect =
        switch error {
        case .isNotUTF8: .notUTF8("line")
        case .isNoObject: LoadError(.invalidRequest, "the line is no JSON object")
        case .isTooDeep:
          LoadError(
            .invalidRequest, "the line's JSON is nested more than \(JSONMembers.deepest) deep")
        }
      return record
    }
    guard let value = object.members.last(where: { field.matches($0.name) })?.value else {
      record.defect = LoadError(.invalidRequest, "the object has no field '\(field)'")
      record.carried = Self.joined(object.members)
      return record
    }
    record.carried = Self.joined(object.members.filter { !field.matches($0.name) })
    record.take(JSONMembers.text(value), calling: "field '\(field)'")
    return record
  }

  private static func joined(_ members: [JSONMembers.Member]) -> [UInt8] {
    var bytes: [UInt8] = []
    for member in members {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes += member.writtenName
      bytes.append(UInt8(ascii: ":"))
      bytes += member.value
    }
    return bytes
  }

  private mutating func records(_ found: [ColumnSplitter.Record]) throws(LoadError) -> [ListRecord] {
    var records: [ListRecord] = []
    records.reserveCapacity(found.count)
    for row in found {
      if let header {
        records.append(record(row, header))
      } else {
        header = try ListHeader(row, field: field)
      }
    }
    return records
  }

  private mutating func record(_ row: ColumnSplitter.Record, _ header: ListHeader) -> ListRecord {
    var record = ListRecord(position: next(), line: row.line, end: row.end)
    switch row.defect {
    case .isTooLong: record.defect = .tooLong(format, row.line...row.lastLine)
    case .isOpen:
      let lines =
        row.line == row.lastLine ? "" : ", so that lines \(row.line) to \(row.lastLine) are one record"
      record.defect = LoadError(.invalidRequest, "a quote is never closed" + lines)
    case nil where row.count > header.names.count:
      record.defect = LoadError(
        .invalidRequest,
        "the record has \(row.count) fields, and the header \(header.names.count); "
          + "what holds a delimiter stands in quotes")
    case nil:
      record.carried = header.carried(of: row)
      let url = header.column < row.count ? row[header.column].trimmed : []
      record.take(String(decoding: url, as: UTF8.self), calling: "column '\(field)'")
      // What other columns have is carried on as well as it goes.
      if !url.isUTF8 { record.defect = .notUTF8("column '\(field)'") }
    }
    return record
  }
}

extension ListRecord {
  /// Takes over the URL that `name` holds.
  fileprivate mutating func take(_ text: String?, calling name: String) {
    guard let text else {
      defect = LoadError(.invalidRequest, "the \(name) is no text")
      return
    }
    url = String(decoding: Array(text.utf8)[...].trimmed, as: UTF8.self)
    if url.isEmpty { defect = LoadError(.invalidRequest, "the \(name) is empty") }
  }
}

extension LoadError {
  /// Says which lines it takes, when they are several: none of them has a result of its own.
  fileprivate static func tooLong(_ format: ListFormat, _ lines: ClosedRange<Int>? = nil) -> LoadError {
    let lines = lines.flatMap { $0.count > 1 ? $0 : nil }
    let taken = lines.map { ", lines \($0.lowerBound) to \($0.upperBound)," } ?? ""
    let quote = lines == nil ? "" : "; is a quote not closed?"
    return LoadError(
      .invalidRequest, "the record\(taken) is longer than \(format.longestRecord) bytes\(quote)")
  }

  /// Half of what it says would make another URL of it.
  fileprivate static func notUTF8(_ name: String) -> LoadError {
    LoadError(.invalidRequest, "the \(name) is not UTF-8; iconv -f LATIN1 -t UTF-8, or the like, makes it so")
  }

  fileprivate static func noList(_ endless: Int) -> LoadError {
    LoadError(.io, "it is no list: its first line has more than \(endless) bytes")
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
