public import Cellophane

/// Reads a file of requests to a cache, piece by piece. Pure: it is given bytes and touches nothing else.
///
/// An id that comes with another size than before is another version, which no cache has yet: it counts as another key.
public struct RequestReader: Sendable {
  /// The file's name, which messages begin with.
  public let name: String
  /// The format; nil until it is known by the first line.
  public private(set) var format: RequestFormat?
  /// How many requests were passed over because they only write.
  public private(set) var skipped = 0
  /// True when the first line was taken for the names of columns.
  public private(set) var hasHeading = false

  private let most: Int
  private var requests: [CacheRequest] = []
  private var keys = RequestKeys()
  /// The bytes of a line, or of a record, that has not come to its end.
  private var rest: [UInt8] = []
  /// The number of lines or records so far.
  private var number = 0

  /// The most requests of a trace. 2.5 million: all that is known of them, and what it takes to find the bounds, fit
  /// into a gigabyte.
  public static let mostRequests = 2_500_000
  /// The longest line, in bytes: no key is longer.
  static let longestLine = 64 << 10
  /// The size of a record of ``RequestFormat/oracleGeneral``, in bytes.
  private static let recordSize = 24

  /// A reader of the file of this name; without a `format` it is guessed by the name and the first line.
  public init(name: String, format: RequestFormat? = nil) {
    self.init(name: name, format: format, atMost: Self.mostRequests)
  }

  init(name: String, format: RequestFormat?, atMost most: Int) {
    self.name = name
    self.format = format
    self.most = most
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the line or record that is wrong, or when there are
  ///   more requests, or longer lines or keys, than can be held.
  public mutating func read(_ bytes: [UInt8]) throws(LoadError) {
    rest += bytes
    if format == nil {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return try checkLine(rest.count) }
      format = RequestFormat(guessedFrom: name, firstLine: rest[..<end])
    }
    var start = rest.startIndex
    if case .oracleGeneral = format {
      while rest.endIndex - start >= Self.recordSize {
        try takeRecord(rest[start..<start + Self.recordSize])
        start += Self.recordSize
      }
    } else {
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try takeLine(rest[start..<end])
        start = end + 1
      }
      try checkLine(rest.endIndex - start)
    }
    rest.removeSubrange(..<start)
  }

  /// The whole trace, once all bytes are read.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when the last line or record is wrong, when there is no request, or
  ///   when all sizes together are not a number.
  public mutating func finish() throws(LoadError) -> CacheTrace {
    if format == nil, !rest.isEmpty { format = RequestFormat(guessedFrom: name, firstLine: rest) }
    if case .oracleGeneral = format {
      try read([])
      guard rest.isEmpty else {
        throw refused("is cut short: a record has \(Self.recordSize) bytes", at: number + 1)
      }
    } else if !rest.isEmpty {
      // The line break that the last line lacks.
      try read([UInt8(ascii: "\n")])
    }
    guard !requests.isEmpty else { throw LoadError(.invalidRequest, "\(name) has no requests") }
    return try CacheTrace(requests)
  }

  private func checkLine(_ length: Int) throws(LoadError) {
    guard length <= Self.longestLine else {
      throw refused("is longer than \(Self.longestLine) bytes", at: number + 1)
    }
  }

  private mutating func takeRecord(_ record: ArraySlice<UInt8>) throws(LoadError) {
    number += 1
    func value(_ bytes: Range<Int>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64(record[record.startIndex + $1]) }
    }
    try add(.number(value(4..<12)), size: Int(value(12..<16)))
  }

  private mutating func takeLine(_ line: ArraySlice<UInt8>) throws(LoadError) {
    number += 1
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    guard !line.isEmpty else { return }
    switch format {
    case .txt: try add(RequestKeys.ID(line), size: 1)
    case .webcachesim:
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard fields.count >= 3, let size = Int(ascii: fields[2]) else {
        throw refused("is not a time, an id and a size between spaces", at: number)
      }
      try add(RequestKeys.ID(fields[1]), size: size)
    case .twitter: try takeTwitter(line)
    case .csv(let columns): try takeCSV(line, columns)
    case .oracleGeneral, nil: break
    }
  }

  /// A key may contain commas, so that the fields behind it are counted from the end.
  private mutating func takeTwitter(_ line: ArraySlice<UInt8>) throws(LoadError) {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let behind = fields.suffix(5)
    guard fields.count >= 7, let keySize = Int(ascii: behind[behind.startIndex]),
      let valueSize = Int(ascii: behind[behind.startIndex + 1])
    else {
      throw refused("is not timestamp,key,key size,value size,client,operation,ttl", at: number)
    }
    guard behind[behind.startIndex + 3].starts(with: "get".utf8) else {
      skipped += 1
      return
    }
    let key = line[fields[1].startIndex..<fields[fields.count - 6].endIndex]
    let (size, overflows) = keySize.addingReportingOverflow(valueSize)
    guard !overflows else { throw refused("has a size that is no number", at: number) }
    try add(RequestKeys.ID(key), size: size)
  }

  private mutating func takeCSV(
    _ line: ArraySlice<UInt8>, _ columns: RequestFormat.Columns
  ) throws(LoadError) {
    let fields = line.split(separator: columns.delimiter, omittingEmptySubsequences: false)
    func number(_ column: Int?, or none: Int) -> Int? {
      guard let column else { return none }
      return fields.indices.contains(column - 1) ? Int(ascii: fields[column - 1]) : nil
    }
    guard fields.indices.contains(columns.id - 1), !fields[columns.id - 1].isEmpty,
      let size = number(columns.size, or: 1), let row = number(columns.row, or: 0),
      let position = number(columns.position, or: 0)
    else {
      // Names of columns are no numbers; a line with a number in it is a request that is wrong.
      if self.number == 1, !fields.contains(where: Self.isNumber) {
        hasHeading = true
        return
      }
      let size = columns.size.map { ", a size in column \($0)" } ?? ""
      throw refused(
        "has no id in column \(columns.id)\(size) or another number that is asked for", at: self.number)
    }
    try add(RequestKeys.ID(fields[columns.id - 1]), size: size, row: row, position: position)
  }

  private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
    Double(String(decoding: field, as: UTF8.self).filter { !$0.isWhitespace }) != nil
  }

  private mutating func add(
    _ id: RequestKeys.ID, size: Int, row: Int = 0, position: Int = 0
  ) throws(LoadError) {
    guard requests.count < most else {
      throw refused("is one more than \(most) requests; take a part of the trace", at: number)
    }
    guard let key = keys.key(of: id, size: size) else {
      throw refused(
        "has the key with which all keys are longer than \(RequestKeys.mostBytes) bytes", at: number)
    }
    requests.append(CacheRequest(key: key, cost: size, row: row, position: position))
  }

  private func refused(_ reason: String, at number: Int) -> LoadError {
    let what = format == .oracleGeneral ? "record" : "line"
    return LoadError(.invalidRequest, "\(name), \(what) \(number) \(reason)")
  }
}

extension Int {
  /// The number that `text` writes in decimal digits alone; nil when it is not one, or too large.
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
