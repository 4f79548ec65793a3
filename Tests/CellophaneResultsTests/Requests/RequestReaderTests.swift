import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct RequestReaderTests {
  /// Reads the trace in `bytes`, in pieces of `step` bytes.
  static func read(
    _ bytes: some Sequence<UInt8>, as format: RequestFormat? = nil, name: String = "a", step: Int = 1 << 20,
    limit: Int = 100
  ) throws -> (trace: CacheTrace, reader: RequestReader) {
    let bytes = Array(bytes)
    var reader = RequestReader(name: name, format: format, atMost: limit)
    for start in stride(from: 0, to: bytes.count, by: step) {
      try reader.read(Array(bytes[start..<min(start + step, bytes.count)]))
    }
    return (try reader.finish(), reader)
  }

  /// Returns a record of libCacheSim, with the memory layout of its C structure.
  static func record(_ time: UInt32, _ id: UInt64, _ size: UInt32, _ next: Int64) -> [UInt8] {
    func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      (0..<MemoryLayout<Value>.size).map { UInt8(truncatingIfNeeded: value >> Value(8 * $0)) }
    }
    return bytes(time) + bytes(id) + bytes(size) + bytes(next)
  }

  /// The same three requests in every format: key 7 (100 bytes), key 8 (20 bytes), and key 7 again.
  static let sameRequests: [(RequestFormat, [UInt8])] = [
    (.webcachesim, Array("1 7 100\n2 8 20 3 4\n3 7 100\n".utf8)),
    (.webcachesim, Array("1 7 100\r\n2 8 20\r\n\r\n3 7 100".utf8)),
    (.csv(RequestFormat.Columns()), Array("time,id,size\n1,7,100\n2.5,8,20,x\n3,7,100\n".utf8)),
    (
      .twitter,
      Array(
        "1,7,1,99,5,get,0\n1,9,1,9,5,set,60\n2,8,1,19,5,gets,0\n3,7,1,99,5,get,0\n4,8,1,5,5,delete,0\n".utf8)
    ),
    (.oracleGeneral, record(1, 7, 100, 3) + record(2, 8, 20, -1) + record(3, 7, 100, .max)),
  ]

  @Test(arguments: sameRequests, [1, 7, 1 << 20])
  func `every format gives the same trace`(file: (format: RequestFormat, bytes: [UInt8]), step: Int) throws {
    let (trace, reader) = try Self.read(file.bytes, as: file.format, step: step)
    #expect(trace.requests.map(\.key) == [0, 1, 0])
    #expect(trace.requests.map(\.cost) == [100, 20, 100])
    #expect(reader.skipped == (file.format == .twitter ? 2 : 0))
    // The format is also recognized by the name and the first line.
    let name = file.format == .oracleGeneral ? "b.oracleGeneral" : "b"
    let guessed = try Self.read(file.bytes, name: name, step: step)
    #expect(guessed.reader.format == file.format)
    #expect(guessed.trace == trace)
  }

  @Test func `a first line with column names is a heading`() throws {
    for (text, hasHeading) in [("time,id,size\n1,7,5\n", true), ("1,7,5\n", false), ("1 7 5\n", false)] {
      let (trace, reader) = try Self.read(text.utf8)
      #expect(trace.requests.count == 1 && reader.hasHeading == hasHeading, "\(text)")
    }
  }

  /// The last byte of a record may equal a line break.
  @Test(arguments: 1..<24, [RequestFormat.oracleGeneral, nil])
  func `a record that is truncated at any byte is rejected`(length: Int, format: RequestFormat?) throws {
    let records = Self.record(1, 7, 100, 3) + Self.record(2, 8, 20, 0)
    let name = "b.oracleGeneral"
    #expect(try Self.read(records, as: format, name: name).trace.requests.count == 2)
    #expect {
      try Self.read(records + records.prefix(length), as: format, name: name)
    } throws: { error in
      (error as? LoadError)?.message.hasPrefix("\(name), record 3 is truncated") == true
    }
  }

  @Test func `an id is a text or a number, and has size 1 in a format without sizes`() throws {
    let (trace, reader) = try Self.read("a b\n07\n7\na b\n7\n18446744073709551615\n".utf8, as: .txt)
    #expect(trace.requests.map(\.key) == [0, 1, 2, 0, 2, 3])
    #expect(trace.requests.allSatisfy { $0.cost == 1 })
    #expect(reader.format == .txt)
    #expect(try Self.read("5\n5\n".utf8).reader.format == .txt)
  }

  @Test func `a key in Twitter's format may contain commas, and CSV columns may have any order`() throws {
    let (twitter, _) = try Self.read("1,a,b,3,5,9,get,0\n2,a,b,3,5,9,get,0\n".utf8, as: .twitter)
    #expect(twitter.requests == [CacheRequest(key: 0, cost: 8), CacheRequest(key: 0, cost: 8)])
    let format = try RequestFormat(parsing: "csv:id=1,size=4,row=2,position=3,delimiter=bar")
    let (rows, _) = try Self.read("x|5|6|70\ny|7|8|80\n".utf8, as: format)
    #expect(rows.requests[1] == CacheRequest(key: 1, cost: 80, row: 7, position: 8))
    let (sizes, _) = try Self.read("1,x,9\n2,x,8\n".utf8, as: try RequestFormat(parsing: "csv:size=none"))
    #expect(sizes.requests.map(\.cost) == [1, 1] && sizes.requests.map(\.key) == [0, 0])
  }

  @Test func `an id with another size gets another key`() throws {
    let (trace, _) = try Self.read("1 7 100\n2 7 101\n3 7 100\n4 7 0\n".utf8)
    #expect(trace.requests.map(\.key) == [0, 1, 0, 2])
    // A size of 0 counts as one byte.
    #expect(trace.bytes == 302)
  }

  @Test(
    arguments: [
      ("", nil, "a has no requests; it needs at least one"), ("\n\n", nil, "a has no requests"),
      ("1 7 100\n2 7\n", nil, "a, line 2 is not a time, an id and a size"),
      ("1 7 x\n", nil, "a, line 1 is not a time, an id and a size"),
      ("1 7 -5\n", nil, "a, line 1 is not a time"),
      ("1 7 99999999999999999999\n", nil, "a, line 1 is not a time"),
      ("time,id,size\ntime,id,size\n", nil, "a, line 2 has no whole number in column 3 (size); "),
      ("1,7,5\n1,7\n", nil, "a, line 2 has no whole number in column 3 (size); "),
      ("1,7,5\n1,,5\n", nil, "a, line 2 has no id in column 2; "),
      ("1,7,5,get\n", .twitter, "a, line 1 is not timestamp"),
      ("1,7,x,5,1,get,0\n", .twitter, "a, line 1 is not timestamp"),
      ("1,7,9223372036854775807,9223372036854775807,1,get,0\n", .twitter, "a, line 1 has a size"),
      ("0123456789", .oracleGeneral, "a, record 1 is truncated"),
      // The first line is a request unless it consists of column names.
      ("1,7,x\n2,8,20\n", nil, "a, line 1 has no whole number in column 3 (size); "),
      ("1.5,,20\n2,8,20\n", .csv(RequestFormat.Columns()), "a, line 1 has no id in column 2; "),
      (
        "1\n", .csv(RequestFormat.Columns()),
        "a, line 1 has no id in column 2 and no whole number in column 3 (size); "
      ),
      ("1 7 9223372036854775807\n2 8 9223372036854775807\n", nil, "the trace's costs up to request 1 exceed"),
    ] as [(String, RequestFormat?, String)])
  func `an invalid trace is rejected with the number of the line`(
    text: String, format: RequestFormat?, message: String
  ) {
    #expect {
      try Self.read(text.utf8, as: format, step: 3)
    } throws: { error in
      guard let error = error as? LoadError else { return false }
      if !error.message.hasPrefix(message) { Issue.record("\(error.message)") }
      return error.kind == .invalidRequest
    }
  }

  @Test func `too many requests and too long lines are rejected`() throws {
    #expect(try Self.read("1\n2\n3\n".utf8, limit: 3).trace.requests.count == 3)
    #expect(throws: LoadError.self) { try Self.read("1\n2\n3\n4\n".utf8, limit: 3) }
    let longLine = Array(repeating: UInt8(ascii: "x"), count: RequestReader.longestLine + 1)
    var reader = RequestReader(name: "a", format: nil)
    #expect(throws: LoadError.self) { try reader.read(longLine) }
    var second = RequestReader(name: "a", format: .txt)
    try second.read(Array("x\n".utf8))
    #expect(throws: LoadError.self) { try second.read(longLine) }
  }

  /// Every sequence of bytes gives a trace or an error.
  @Test(arguments: 1...60 as ClosedRange<UInt64>) func `random bytes are read or rejected`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let alphabet = Array("0123456789, \n\n,,get;x\u{0}".utf8)
    let bytes = (0..<400).map { alphabet[Int(draw.bits("noise", $0) % UInt64(alphabet.count))] }
    for format: RequestFormat? in [
      nil, .webcachesim, .csv(RequestFormat.Columns()), .txt, .oracleGeneral, .twitter,
    ] {
      do {
        let (trace, _) = try Self.read(bytes, as: format, step: 11, limit: 1_000)
        #expect(!trace.requests.isEmpty && trace.requests.allSatisfy { $0.cost >= 1 })
      } catch {
        #expect((error as? LoadError)?.kind == .invalidRequest, "seed \(seed): \(error)")
      }
    }
  }

  @Test(arguments: [
    "", "tsv", "txt:1", "csv:", "csv:id", "csv:id=0", "csv:id=1001", "csv:id=x", "csv:size=-1",
    "csv:delimiter=x",
    "csv:time=1,", "CSV", "oracleGeneral:2",
  ])
  func `an unknown format is rejected`(text: String) {
    #expect(throws: LoadError.self) { try RequestFormat(parsing: text) }
  }
}
