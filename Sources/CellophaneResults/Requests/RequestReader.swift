package import Cellophane

/// Reads a file of cache requests in pieces. Pure: it receives bytes and does no I/O.
///
/// An id with another size than before is another version, which no cache contains yet. It gets another key.
package struct RequestReader: Sendable {
  /// The name of the file, for messages.
  package let name: String
  /// The format; nil until the first line determines it.
  package private(set) var format: RequestFormat?
  /// The number of skipped requests, which only write.
  package private(set) var skipped = 0
  /// True if the first line was read as the names of columns.
  package private(set) var hasHeading = false

  /// True if the name and the first line determine the format.
  private let guessesFormat: Bool
  private let limit: Int
  private var requests: [CacheRequest] = []
  private var keys = RequestKeys()
  /// The bytes of an incomplete line or record.
  private var buffer: [UInt8] = []
  /// The number of lines or records so far.
  private var number = 0

  /// The maximum number of requests of a trace. 2.5 million: with the data for the bounds, they fit into a
  /// gigabyte.
  package static let maxRequests = 2_500_000
  /// The maximum length of a line, in bytes: longer than any key.
  static let longestLine = 64 << 10
  /// The size of a record of ``RequestFormat/oracleGeneral``, in bytes.
  private static let recordSize = 24

  /// Creates a reader of the file `name`. Without a `format`, the name and the first line determine it.
  package init(name: String, format: RequestFormat? = nil) {
    self.init(name: name, format: format, atMost: Self.maxRequests)
  }

  init(name: String, format: RequestFormat?, atMost limit: Int) {
    self.name = name
    self.format = format
    guessesFormat = format == nil
    self.limit = limit
  }

  /// Reads the next bytes.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a file of another kind, an invalid line or record, or an
  ///   exceeded limit: the number of requests, the length of a line, or the bytes of all keys.
  package mutating func read(_ bytes: [UInt8]) throws(LoadError) {
    buffer += bytes
    if format == nil {
      guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return try checkLine(buffer.count) }
      format = RequestFormat(guessedFrom: name, firstLine: buffer[..<end])
    }
    var start = buffer.startIndex
    if case .oracleGeneral = format {
      while buffer.endIndex - start >= Self.recordSize {
        try parseRecord(buffer[start..<start + Self.recordSize])
        start += Self.recordSize
      }
    } else {
      while let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try parseLine(buffer[start..<end])
        start = end + 1
      }
      try checkLine(buffer.endIndex - start)
    }
    buffer.removeSubrange(..<start)
  }

  /// Returns the trace after all bytes were read.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the last line or record is invalid, if there are no
  ///   requests, or if the sum of all sizes overflows.
  package mutating func finish() throws(LoadError) -> CacheTrace {
    if format == nil, !buffer.isEmpty { format = RequestFormat(guessedFrom: name, firstLine: buffer) }
    if case .oracleGeneral = format {
      try read([])
      guard buffer.isEmpty else {
        if number == 0 { try checkStart(buffer[...]) }
        throw invalid("is truncated: a record has \(Self.recordSize) bytes", at: number + 1)
      }
    } else if !buffer.isEmpty {
      // Adds the missing final line break.
      try read([UInt8(ascii: "\n")])
    }
    guard !requests.isEmpty else {
      throw LoadError(.invalidRequest, "\(name) has no requests; it needs at least one")
    }
    return try CacheTrace(requests)
  }

  private func checkLine(_ length: Int) throws(LoadError) {
    guard length <= Self.longestLine else {
      throw invalid("is longer than \(Self.longestLine) bytes", at: number + 1)
    }
  }

  /// Checks the first line or record, `start`.
  private func checkStart(_ start: ArraySlice<UInt8>) throws(LoadError) {
    if let reason = ForeignTrace.binary(start) { throw LoadError(.invalidRequest, "\(name) \(reason)") }
    if guessesFormat, format != .oracleGeneral, let kind = ForeignTrace.text(start) {
      throw invalid("looks like \(kind), not like a request", at: 1)
    }
  }

  private mutating func parseRecord(_ record: ArraySlice<UInt8>) throws(LoadError) {
    number += 1
    if number == 1 { try checkStart(record) }
    func value(_ bytes: Range<Int>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64(record[record.startIndex + $1]) }
    }
    // A record without a next request has -1, -2 or the maximum.
    if guessesFormat, Int64(bitPattern: value(16..<24)) < -2 {
      throw invalid("is not a time, an id, a size and the number of the next request", at: number)
    }
    try add(.number(value(4..<12)), size: Int(value(12..<16)))
  }

  private mutating func parseLine(_ line: ArraySlice<UInt8>) throws(LoadError) {
    number += 1
    if number == 1 { try checkStart(line) }
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    guard !line.isEmpty else { return }
    if guessesFormat, line.contains(where: ForeignTrace.isControl) {
      throw invalid("has control characters, so the file is not text", at: number)
    }
    switch format {
    case .txt: try add(RequestKeys.ID(line), size: 1)
    case .webcachesim:
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard fields.count >= 3, let size = Int(ascii: fields[2]) else {
        throw invalid("is not a time, an id and a size, separated by spaces", at: number)
      }
      try add(RequestKeys.ID(fields[1]), size: size)
    case .twitter: try parseTwitter(line)
    case .csv(let columns): try parseCSV(line, columns)
    case .oracleGeneral, nil: break
    }
  }

  /// A key may contain commas, so the fields after it are counted from the end.
  private mutating func parseTwitter(_ line: ArraySlice<UInt8>) throws(LoadError) {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let trailing = fields.suffix(5)
    guard fields.count >= 7, let keySize = Int(ascii: trailing[trailing.startIndex]),
      let valueSize = Int(ascii: trailing[trailing.startIndex + 1])
    else {
      throw invalid("is not timestamp,key,key size,value size,client,operation,ttl", at: number)
    }
    guard trailing[trailing.startIndex + 3].starts(with: "get".utf8) else {
      skipped += 1
      return
    }
    let key = line[fields[1].startIndex..<fields[fields.count - 6].endIndex]
    let (size, overflows) = keySize.addingReportingOverflow(valueSize)
    guard !overflows else { throw invalid("has a size that is too large", at: number) }
    try add(RequestKeys.ID(key), size: size)
  }

  private mutating func parseCSV(
    _ line: ArraySlice<UInt8>, _ columns: RequestFormat.Columns
  ) throws(LoadError) {
    let fields = line.split(separator: columns.delimiter, omittingEmptySubsequences: false)
    func number(_ column: Int?, or none: Int) -> Int? {
      guard let column else { return none }
      return fields.indices.contains(column - 1) ? Int(ascii: fields[column - 1]) : nil
    }
    let hasID = fields.indices.contains(columns.id - 1) && !fields[columns.id - 1].isEmpty
    let (size, row) = (number(columns.size, or: 1), number(columns.row, or: 0))
    let position = number(columns.position, or: 0)
    guard hasID, let size, let row, let position else {
      // A first line without numbers is a heading. A line with a number is an invalid request.
      if self.number == 1, !fields.contains(where: Self.isNumber) {
        hasHeading = true
        return
      }
      let named = [
        ("size", columns.size, size), ("row", columns.row, row), ("position", columns.position, position),
      ]
      let numbers = named.compactMap { name, column, value in
        value == nil ? column.map { "no whole number in column \($0) (\(name))" } : nil
      }
      let missing = (hasID ? [] : ["no id in column \(columns.id)"]) + numbers
      throw invalid("has " + missing.joined(separator: " and "), at: self.number)
    }
    try add(RequestKeys.ID(fields[columns.id - 1]), size: size, row: row, position: position)
  }

  private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
    Double(String(decoding: field, as: UTF8.self).filter { !$0.isWhitespace }) != nil
  }

  private mutating func add(
    _ id: RequestKeys.ID, size: Int, row: Int = 0, position: Int = 0
  ) throws(LoadError) {
    guard requests.count < limit else {
      throw limited("exceeds the limit of \(limit) requests")
    }
    guard let key = keys.key(of: id, size: size) else {
      throw limited("exceeds the limit of \(RequestKeys.maxTextBytes) bytes for all keys")
    }
    requests.append(CacheRequest(key: key, cost: size, row: row, position: position))
  }

  /// Returns the error for an invalid line or record. The format may be wrong, so the error names it.
  private func invalid(_ reason: String, at number: Int) -> LoadError {
    let advice =
      switch format {
      case nil: "; choose a format with --requests-format"
      case let format? where guessesFormat:
        "; the format \(format.name) was guessed: choose another with --requests-format"
      case _?: "; correct the file, or choose another format with --requests-format"
      }
    return LoadError(.invalidRequest, "\(name), \(unit) \(number) \(reason)\(advice)")
  }

  private func limited(_ reason: String) -> LoadError {
    LoadError(.invalidRequest, "\(name), \(unit) \(number) \(reason); use a part of the trace")
  }

  private var unit: String { format == .oracleGeneral ? "record" : "line" }
}

extension Int {
  /// Creates the number with the decimal digits `text`; nil if it has other characters or overflows.
  init?(ascii text: some Sequence<UInt8>) {
    var value = 0
    var count = 0
    for byte in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (ten, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, carries) = ten.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      guard !overflows, !carries else { return nil }
      value = sum
      count += 1
    }
    guard count > 0 else { return nil }
    self = value
  }
}
