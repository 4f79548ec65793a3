internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Records of a list")
struct ListReaderTests {
  /// Returns a record as text: `line url {other fields}`, or `line ! defect`.
  static func summary(_ record: ListRecord) -> String {
    let otherFields =
      record.otherFields.isEmpty ? "" : " {" + String(decoding: record.otherFields, as: UTF8.self) + "}"
    return "\(record.line) " + (record.defect.map { "! " + $0.message } ?? record.url) + otherFields
  }

  static func read(
    _ bytes: [UInt8], as format: ListFormat, field: FieldName = .url, inPiecesOf size: Int = 1_000
  ) throws -> [ListRecord] {
    var reader = ListReader(format, field: field)
    var records: [ListRecord] = []
    for piece in bytes.pieces(of: size) { records += try reader.read(piece) }
    records += try reader.finish()
    #expect(records.map(\.position) == Array(records.indices))
    #expect(records.map(\.end) == records.map(\.end).sorted() && records.allSatisfy { $0.end <= bytes.count })
    return records
  }

  static func read(
    _ text: String, as format: ListFormat, field: FieldName = .url, inPiecesOf size: Int = 1_000
  ) throws -> [String] {
    try read(Array(text.utf8), as: format, field: field, inPiecesOf: size).map(summary)
  }

  @Test(
    "the extension of a file determines the format",
    arguments: [
      ("list", .lines), ("list.txt", .lines), ("list.CSV", .csv), ("a/b.tsv", .tsv), ("b.tab", .tsv),
      ("x.y.jsonl", .jsonl), ("x.ndjson", .jsonl),
      ("x.csv.gz", .csv), ("x.JSONL.ZST", .jsonl),
      ("x.gz", .lines),
      ("x.csv.gz.gz", .lines), ("gz", .lines), ("a.csv/list", .lines), ("csv", .lines), (".csv", .lines),
      ("", .lines),
    ] as [(String, ListFormat)])
  func formats(name: String, format: ListFormat) { #expect(ListFormat(ofFileNamed: name) == format) }

  @Test(
    "CSV has quotes around line breaks and delimiters, names in the header, and blank lines",
    arguments: 1...40)
  func csv(size: Int) throws {
    let text = """
      id,url,\"a \"\"label\"\"\"\r
      1,http://h/1,plain\r
      \r
      2,\"http://h/2?a,b\",\"two
      lines, and \"\"quotes\"\"\"
      3, http://h/3 ,it's 5\" wide
         \r\n4,http://h/4
      5,\"http://h\"/5,\"a\rb\"\n6,http://h/6,\rc\r
      """
    #expect(
      try Self.read(text, as: .csv, inPiecesOf: size) == [
        #"2 http://h/1 {"id":"1","a \"label\"":"plain"}"#,
        #"4 http://h/2?a,b {"id":"2","a \"label\"":"two\nlines, and \"quotes\""}"#,
        #"6 http://h/3 {"id":"3","a \"label\"":"it's 5\" wide"}"#, #"8 http://h/4 {"id":"4"}"#,
        #"9 http://h/5 {"id":"5","a \"label\"":"a\rb"}"#, #"10 http://h/6 {"id":"6","a \"label\"":"\rc"}"#,
      ])
  }

  @Test("TSV separates fields by tabs, and commas are literal")
  func tsv() throws {
    #expect(
      try Self.read("URL\tname\nhttp://h/a,b\t\"x\ty\"\n", as: .tsv) == [#"2 http://h/a,b {"name":"x\ty"}"#])
  }

  @Test(
    "an invalid record has an error, and the next one is read",
    arguments: [
      (
        .csv, "a,url\n1\n2,http://h\n",
        ["2 ! the column 'url' is empty {\"a\":\"1\"}", "3 http://h {\"a\":\"2\"}"]
      ),
      (
        .csv, "a,url\n1,http://h/a,b\n2,http://h\n",
        [
          "2 ! the record has 3 fields, and the header 2; put fields that contain a delimiter in quotes",
          "3 http://h {\"a\":\"2\"}",
        ]
      ),
      (
        .csv, "a,url\n1,http://h\n2,\"http://h\n3,http://h\n",
        ["2 http://h {\"a\":\"1\"}", "3 ! a quote is never closed; lines 3 to 4 are one record"]
      ),
      (.csv, "url\n\"\"\nhttp://h", ["2 ! the column 'url' is empty", "3 http://h"]),
      (.csv, "url,a\n,\n , \nhttp://h,\n,,,\n\"\",\"\"\n", ["4 http://h {\"a\":\"\"}"]),
      (.tsv, "url\ta\n\t\n\tb\nhttp://h", ["3 ! the column 'url' is empty {\"a\":\"b\"}", "4 http://h"]),
      (
        .jsonl, "{\"url\":\"http://h\"\n{\"url\":\"http://i\"}",
        ["1 ! the line is not a JSON object", "2 http://i"]
      ),
      (
        .jsonl, "[1]\n\n\"http://h\"\n",
        ["1 ! the line is not a JSON object", "3 ! the line is not a JSON object"]
      ),
      (
        .jsonl, "{\"url\":" + String(repeating: "[", count: 129) + String(repeating: "]", count: 129) + "}",
        ["1 ! the JSON of the line has more than 128 nested levels"]
      ),
      (.jsonl, "{\"link\":\"http://h\"}", ["1 ! the object has no field 'url' {\"link\":\"http://h\"}"]),
      (.jsonl, "{\"url\":null,\"id\":7}", ["1 ! the field 'url' is not a string {\"id\":7}"]),
      (.jsonl, "{\"url\":\" \"}", ["1 ! the field 'url' is empty"]),
      (
        .lines, "http://h/1\rhttp://h/2\r\r\nhttp://h/3\r\n",
        [
          "1 ! the line contains a carriage return; if all lines end with one, convert them with tr '\\r' '\\n'",
          "2 http://h/3",
        ]
      ),
      (.csv, "url,\"a\r\nb\"\r\nhttp://h/1,x\ry\r\n", ["3 http://h/1 {\"a\\r\\nb\":\"x\\ry\"}"]),
    ] as [(ListFormat, String, [String])])
  func defects(format: ListFormat, text: String, expected: [String]) throws {
    #expect(try Self.read(text, as: format) == expected)
  }

  @Test("JSON Lines keeps every digit of the other fields", arguments: [1, 2, 3, 5, 8, 1_000])
  func jsonLines(size: Int) throws {
    let text = #"""
      {"id": 12345678901234567890123, "url" : "http://h\/\u00e9\ud83d\ude00", "nested":{"a":[1, 2.50,-0e+7,{}],"b":null}}
        { "u\u0072l":"http://h/2"}
      {"url":"http://first","url":"http://last","t":[true,false],"e":"\"\\\b\f\n\r\t\ud800"}
      """#
    #expect(
      try Self.read(text, as: .jsonl, inPiecesOf: size) == [
        #"1 http://h/é😀 {"id":12345678901234567890123,"nested":{"a":[1, 2.50,-0e+7,{}],"b":null}}"#,
        "2 http://h/2", #"3 http://last {"t":[true,false],"e":"\"\\\b\f\n\r\t\ud800"}"#,
      ])
  }

  @Test(
    "invalid JSON is refused",
    arguments: [
      "{", "{}x", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}",
      "{\"a\":-}",
      "{\"a\":1e}", "{\"a\":tru}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\u{01}\"}",
      "{\"a\":[1,]}",
      "{\"a\":[1 2]}", "{a:1}", "{'a':1}", "{\"a\":NaN}", "", "null", "{\"a\":\"", "{\"a\":\"\\",
      "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}",
    ])
  func invalidJSON(text: String) {
    #expect(throws: JSONMembers.Defect.self) { try JSONMembers(Array(text.utf8)[...]) }
  }

  @Test func `invalid UTF-8 is refused in JSON, and replaced in columns other than the URL`() throws {
    #expect(throws: JSONMembers.Defect.isNotUTF8) {
      try JSONMembers(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8))
    }
    let records = try Self.read(Array("url,a\nhttp://h,".utf8) + [0xFF, 0x0A], as: .csv)
    #expect(records.map(Self.summary) == ["2 http://h {\"a\":\"\u{FFFD}\"}"])
  }

  @Test(
    "a named column matches exactly, and the default column is url in any case",
    arguments: [
      ("link,url\na,b\n", FieldName("link"), ["2 a {\"url\":\"b\"}"]),
      ("Link,URL\na,b\n", .url, ["2 b {\"Link\":\"a\"}"]),
      ("url,url,,\na,b,c,d\n", .url, [#"2 a {"column 2":"b","column 3":"c","column 4":"d"}"#]),
    ] as [(String, FieldName, [String])])
  func columns(text: String, field: FieldName, expected: [String]) throws {
    // The second column of a name gets its number as its name.
    let found = try Self.read(text, as: .csv, field: field)
    #expect(found == expected)
  }

  @Test("the error about a missing column or field says so if only its case differs")
  func otherCase() throws {
    let error = #expect(throws: LoadError.self) {
      try Self.read("id,URL\n1,http://h\n", as: .csv, field: FieldName("url"))
    }
    #expect(
      error?.message
        == "it has no column 'url', but 'id', 'URL'; name the column of the URLs with --column; "
        + "names are case-sensitive")
    #expect(
      try Self.read("{\"Link\":\"http://h\"}", as: .jsonl, field: FieldName("link"))
        == ["1 ! the object has no field 'link'; names are case-sensitive {\"Link\":\"http://h\"}"])
  }

  @Test(
    "an error of the whole list is thrown",
    arguments: [
      (
        .csv, Array("id,link\n1,http://h\n".utf8),
        "it has no column 'url', but 'id', 'link'; name the column of the URLs with --column"
      ),
      (
        .csv, Array("http://h/1\nhttp://h/2\n".utf8),
        "its first line has a URL and is not a header; use --format lines"
      ),
      (
        .tsv, Array("1\thttp://h/1\n".utf8),
        "its first line has a URL and is not a header; add a line with the names of the columns"
      ),
      (
        .csv, Array("\"id,link\n1,http://h\n".utf8),
        "its first record is not a header: it is too long or has an unclosed quote"
      ),
      (
        .csv, Array("url,a\rhttp://h/1,1\rhttp://h/2,2\r".utf8),
        "its lines end with a carriage return alone; convert them with tr '\\r' '\\n'"
      ),
      (
        .tsv, Array("url\rhttp://h/1".utf8),
        "its lines end with a carriage return alone; convert them with tr '\\r' '\\n'"
      ),
      (
        .lines, [0xFF, 0xD8, 0xFF, 0xE0],
        "it is a JPEG image, not a list of URLs; to decode it, use cellophane decode"
      ),
      (.lines, [0x1F, 0x8B, 8, 0], "it is compressed; pipe it: gzip -dc LIST | cellophane prefetch -"),
      (
        .csv, [0xFF, 0xFE, 0x75, 0],
        "it is UTF-16; pipe it: iconv -f UTF-16 -t UTF-8 LIST | cellophane prefetch -"
      ),
      (
        .lines, [0xFE, 0xFF, 0, 0x68],
        "it is UTF-16; pipe it: iconv -f UTF-16 -t UTF-8 LIST | cellophane prefetch -"
      ),
      (.jsonl, [0x28, 0xB5, 0x2F, 0xFD], "it is compressed; pipe it: zstd -dc LIST | cellophane prefetch -"),
    ] as [(ListFormat, [UInt8], String)])
  func refusals(format: ListFormat, bytes: [UInt8], message: String) {
    for size in [1, 1_000] {
      let error = #expect(throws: LoadError.self) {
        _ = try Self.read(bytes, as: format, inPiecesOf: size)
      }
      #expect(error?.kind == .invalidRequest && error?.message == message)
    }
  }

  @Test("a byte order mark is skipped, and an incomplete mark is kept", arguments: [1, 2, 3, 4, 100])
  func byteOrderMark(size: Int) throws {
    #expect(try Self.read("\u{FEFF}\"url\"\nhttp://h", as: .csv, inPiecesOf: size) == ["2 http://h"])
    #expect(try Self.read("\u{FEFF}http://h", as: .lines, inPiecesOf: size) == ["1 http://h"])
    #expect(try Self.read([0x1F], as: .lines, inPiecesOf: size).count == 1)
    #expect(try Self.read("BZ\nBZ", as: .lines, inPiecesOf: size) == ["1 BZ", "2 BZ"])
  }

  @Test(
    "a record that is too long is truncated, and reading continues at the next line",
    arguments: ListFormat.allCases)
  func tooLong(format: ListFormat) throws {
    let filling = String(repeating: "x\n", count: format.longestRecord / 2) + "xxx\n"
    let (text, expected): (String, String) =
      switch format {
      case .lines: (filling.replacing("\n", with: "y") + "\nhttp://h\n", "2 http://h")
      case .csv, .tsv: ("url\n\"" + filling + "http://h\n", "\(format.longestRecord / 2 + 3) http://h")
      case .jsonl:
        ("{\"url\":\"" + filling.replacing("\n", with: "y") + "\"}\n{\"url\":\"http://h\"}\n", "2 http://h")
      }
    let found = try Self.read(Array(text.utf8), as: format, inPiecesOf: 10_007)
    #expect(found.count == 2 && found.last.map(Self.summary) == expected)
    #expect(found[0].url.utf8.count <= format.longestRecord)
    let message = found[0].defect?.message ?? ""
    let expectedMessage =
      switch format {
      case .lines: ""
      case .csv, .tsv:
        "the record, lines 2 to \(format.longestRecord / 2 + 2), is longer than 1048576 bytes; is a quote not closed?"
      case .jsonl: "the record is longer than 1048576 bytes"
      }
    #expect(message == expectedMessage)
  }

  @Test(
    "an input with a short first line is a list, even if another line is very long",
    arguments: ListFormat.allCases)
  func long(format: ListFormat) throws {
    let beginning =
      switch format {
      case .lines: ""
      case .csv, .tsv: "url\n"
      case .jsonl: "{}\n"
      }
    let piece = String(repeating: "a", count: 1_000)
    let good = format == .jsonl ? "{\"url\":\"http://h\"}" : "http://h"
    var reader = ListReader(format, field: .url, endless: 10_000)
    var found = try reader.read(Array("\(beginning)\(good)\n".utf8))
    for _ in 0..<2_000 { found += try reader.read(Array(piece.utf8)) }
    found += try reader.read(Array("\n\(good)\n".utf8))
    #expect(found.suffix(3).map { $0.url == "http://h" && $0.defect == nil } == [true, false, true])
  }

  @Test("an input without a line break is not a list", arguments: ListFormat.allCases)
  func endless(format: ListFormat) {
    var reader = ListReader(format, field: .url, endless: 10_000)
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
    let error = #expect(throws: LoadError.self) { for _ in 0..<11 { _ = try reader.read(piece) } }
    #expect(error?.kind == .io)
    let last = try? reader.finish()
    #expect(last?.count ?? 0 == (format == .lines || format == .jsonl ? 1 : 0))
  }

  @Test(
    "random bytes give the same records for all sizes of chunks", arguments: 1...60 as ClosedRange<UInt64>)
  func garbage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // The special characters of the formats, which are more frequent than in random bytes.
    let special = Array("\"\",,\t\n\r\n{}[]:\\u0 u".utf8)
    let bytes = (0..<Int(random.next() % 400)).map { _ in
      random.next() % 3 == 0
        ? UInt8(truncatingIfNeeded: random.next()) : special[Int(random.next() % UInt64(special.count))]
    }
    for format in ListFormat.allCases {
      let header = format == .lines || format == .jsonl ? [] : Array("a,url\tb\turl\tc,d\n".utf8)
      let field = format == .csv ? FieldName("d") : .url
      let whole = try Self.read(header + bytes, as: format, field: field)
      for size in [1, 2, 7] {
        #expect(
          try Self.read(header + bytes, as: format, field: field, inPiecesOf: size) == whole, "seed \(seed)")
      }
      for record in whole {
        _ = try JSONMembers((Array("{".utf8) + record.otherFields + Array("}".utf8))[...])
      }
    }
  }
}
