package import Cellophane

/// A parser of lists that reads chunk by chunk. Pure. An error in a record is reported in that record; an
/// error in the list is thrown.
package struct ListReader: Sendable {
  private enum Splitter: Sendable {
    case lines(LineSplitter)
    case columns(ColumnSplitter)
  }

  /// The command of the tool that reads the list, for the advice in errors.
  package var command = "prefetch"
  /// The names of other fields that each record must have.
  package var requiredFields: [String] = []
  private let format: ListFormat
  private let field: FieldName
  /// Whether the list contains the results of an earlier run, and only its failed records are read.
  private let isRetrying: Bool
  private let endless: Int
  private var splitter: Splitter
  private var start = ListStart()
  private var header: ListHeader?
  /// Whether the first line of the results of an earlier run is a result; nil before that line.
  private var startsWithResult: Bool?
  private var position = 0

  package init(_ format: ListFormat, field: FieldName = .url) {
    self.init(format, field: field, endless: LineSplitter.endless)
  }

  /// Returns a reader of the results of an earlier run. It returns the records with a temporary failure,
  /// under their original line numbers.
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

  /// Returns the records that end in `chunk`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the list is compressed, is UTF-16 or lacks the column;
  ///   ``LoadError/Kind/io`` if the input is not a list.
  package mutating func read(_ chunk: [UInt8]) throws(LoadError) -> [ListRecord] {
    let chunk = try start.list(with: chunk, command: command)
    switch splitter {
    case .lines(var lines):
      var records: [ListRecord] = []
      // Otherwise the splitter would be copied.
      splitter = .lines(LineSplitter(longest: 0))
      lines.split(chunk) { if let record = record($0) { records.append(record) } }
      splitter = .lines(lines)
      if lines.isEndless { throw .notAList(endless) }
      if startsWithResult == false { throw .noResults }
      return records
    case .columns(var columns):
      var found: [ColumnSplitter.Record] = []
      splitter = .lines(LineSplitter(longest: 0))
      columns.split(chunk) { found.append($0) }
      splitter = .columns(columns)
      if columns.isEndless { throw .notAList(endless) }
      return try records(found)
    }
  }

  /// Returns the record after the last line break, at the end of the list.
  ///
  /// - Throws: The errors of ``read(_:)``.
  package mutating func finish() throws(LoadError) -> [ListRecord] {
    var records: [ListRecord] = []
    if let rest = start.end() { records = try read(rest) }
    switch splitter {
    case .lines(var lines):
      lines.end { if let record = record($0) { records.append(record) } }
      if startsWithResult == false { throw .noResults }
    case .columns(var columns):
      var found: [ColumnSplitter.Record] = []
      columns.end { found.append($0) }
      records += try self.records(found)
    }
    return records
  }

  private mutating func next() -> Int {
    defer { position += 1 }
    return position
  }

  /// Returns the record of a line, or nil for a result that is not retried.
  private mutating func record(_ line: LineSplitter.Line) -> ListRecord? {
    if isRetrying, let result = try? JSONMembers(line.bytes), result["outcome"] != nil {
      if startsWithResult == nil { startsWithResult = true }
      return EarlierResult(result).map { earlier in
        ListRecord(
          position: next(), line: earlier.index ?? line.number, url: earlier.url,
          otherFields: earlier.otherFields, end: line.end
        ).requiring(requiredFields)
      }
    }
    var record = ListRecord(position: next(), line: line.number, end: line.end)
    if isRetrying {
      if startsWithResult == nil { startsWithResult = false }
      record.defect = LoadError(.invalidRequest, "the line is not a result of an earlier run")
      return record
    }
    guard format == .jsonl else {
      let url = String(validating: line.bytes, as: UTF8.self)
      // The end of a shortened line may be half a character, which is no error by itself.
      if url == nil, line.isComplete { record.defect = .notUTF8("line") }
      if line.bytes.hasLoneReturn {
        record.defect = LoadError(
          .invalidRequest,
          "the line contains a carriage return; if all lines end with one, convert them with tr '\\r' '\\n'")
      }
      record.url = url ?? String(decoding: line.bytes, as: UTF8.self)
      return record
    }
    guard line.isComplete else {
      record.defect = .tooLong(format)
      return record
    }
    let object: JSONMembers
    do throws(JSONMembers.Defect) { object = try Self.object(line.bytes) } catch {
      record.defect =
        switch error {
        case .isNotUTF8: .notUTF8("line")
        case .isNoObject: LoadError(.invalidRequest, "the line is not a JSON object")
        case .isTooDeep:
          LoadError(
            .invalidRequest, "the JSON of the line has more than \(JSONMembers.deepest) nested levels"
          )
        }
      return record
    }
    guard let value = object.members.last(where: { field.matches($0.name) })?.value else {
      let hint = field.caseHint(for: object.members.map(\.name))
      record.defect = LoadError(.invalidRequest, "the object has no field '\(field)'\(hint)")
      record.otherFields = Self.joined(object.members)
      return record
    }
    record.otherFields = Self.joined(object.members.filter { !field.matches($0.name) })
    record.take(JSONMembers.text(value), calling: "field '\(field)'")
    return record.requiring(requiredFields)
  }

  /// Parses a line. It may have the NaN and Infinity of Python, which become JSON.
  private static func object(_ line: ArraySlice<UInt8>) throws(JSONMembers.Defect) -> JSONMembers {
    do throws(JSONMembers.Defect) { return try JSONMembers(line) } catch .isNoObject {
      guard let finite = FiniteNumbers.replacing(in: line) else { throw .isNoObject }
      return try JSONMembers(finite[...])
    } catch {
      throw error
    }
  }

  private static func joined(_ members: [JSONMembers.Member]) -> [UInt8] {
    var bytes: [UInt8] = []
    for member in members {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes.append(escapingControlsOf: member.writtenName)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(escapingControlsOf: member.value)
    }
    return bytes
  }

  private mutating func records(_ found: [ColumnSplitter.Record]) throws(LoadError) -> [ListRecord] {
    var records: [ListRecord] = []
    records.reserveCapacity(found.count)
    for row in found {
      if let header {
        if !row.isBlank { records.append(record(row, header)) }
      } else {
        header = try ListHeader(row, field: field, requiring: requiredFields)
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
        row.line == row.lastLine ? "" : "; lines \(row.line) to \(row.lastLine) are one record"
      record.defect = LoadError(.invalidRequest, "a quote is never closed" + lines)
    case nil where row.count > header.names.count:
      record.defect = LoadError(
        .invalidRequest,
        "the record has \(row.count) fields, and the header \(header.names.count); "
          + "put fields that contain a delimiter in quotes")
    case nil:
      record.otherFields = header.otherFields(of: row)
      let url = header.column < row.count ? row[header.column].trimmed : []
      record.take(String(decoding: url, as: UTF8.self), calling: "column '\(field)'")
      // Invalid UTF-8 in other columns is replaced by U+FFFD.
      if !url.isUTF8 { record.defect = .notUTF8("column '\(field)'") }
    }
    return record
  }
}

extension ListRecord {
  /// Returns the record, with a defect if it has none yet and lacks one of the other fields `names`.
  fileprivate func requiring(_ names: [String]) -> ListRecord {
    guard defect == nil, let name = names.first(where: { text(of: $0) == nil }) else { return self }
    var record = self
    record.defect = LoadError(.invalidRequest, "the object has no field '\(name)'")
    return record
  }

  /// Sets the URL from the text of `name`.
  fileprivate mutating func take(_ text: String?, calling name: String) {
    guard let text else {
      defect = LoadError(.invalidRequest, "the \(name) is not a string")
      return
    }
    url = String(decoding: Array(text.utf8)[...].trimmed, as: UTF8.self)
    if url.isEmpty { defect = LoadError(.invalidRequest, "the \(name) is empty") }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
