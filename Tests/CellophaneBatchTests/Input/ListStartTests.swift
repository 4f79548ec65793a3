internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Files that are not lists")
struct ListStartTests {
  @Test(arguments: [
    ("PAR1\u{15}\u{4}", "it is a Parquet file, not a list of URLs; write its columns as CSV"),
    ("ARROW1\0\0", "it is an Arrow file"), ("ORC\u{1}", "it is an ORC file"),
    ("SQLite format 3\0x", "it is an SQLite database"),
    ("PK\u{3}\u{4}\u{14}", "it is a zip file or a spreadsheet, not a list of URLs; unpack it, or save"),
    ("FEA1\0\0\0\0", "it is a Feather file"), ("Obj\u{1}\u{4}\u{16}avro", "it is an Avro file"),
    ("Rar!\u{1A}\u{7}\0", "it is a RAR file, not a list of URLs; unpack it"),
    ("%PDF-1.4\n", "it is a PDF document"), ("\u{4}\"M\u{18}abcd", "it is compressed; pipe it: lz4 -dc LIST"),
    ("h\0t\0t\0p\0", "it is a binary file or UTF-16"), ("\0h\0t\0t\0p", "it is a binary file or UTF-16"),
    ("\0\0\0h\0\0\0t", "it is a binary file or UTF-16"), ("\u{10}\0\0\0\0\0\0\0", "it is a binary file"),
    ("<?xml version", "it is an XML file"), ("<!DOCTYPE html>", "it is an HTML page"),
    (
      "[{\"url\":\"http://h/1\"}]",
      "it is a JSON array; write its elements as lines: jq -c '.[]' LIST | cellophane x - --format jsonl"
    ),
    (
      " \n[\n  \"http://h/1\"]",
      "it is a JSON array; write its elements as lines: jq -r '.[]' LIST | cellophane x -"
    ),
    ("\u{FEFF}[\r\n{", "it is a JSON array"),
  ])
  func `a file that another program must convert is an error with the conversion`(text: String, start: String)
    throws
  {
    for format in ListFormat.allCases {
      for size in [1, 3, 1_000] {
        var reader = ListReader(format)
        reader.command = "x"
        let error = #expect(throws: LoadError.self) {
          for piece in Array(text.utf8).pieces(of: size) { _ = try reader.read(piece) }
        }
        #expect(
          error?.kind == .invalidRequest && error?.message.hasPrefix(start) == true,
          "\(format): \(error as Any)")
      }
    }
  }

  @Test(arguments: [
    "PAR", "PK", "O", "<", "%PD", "Ra", "Obj", "FEA2http://h", "7z", "[", " [ ", "[http://h/1", "[1]",
    "http://h/[{", "PAR2", "\n\n", "<http://h>",
  ])
  func `other text is a list`(text: String) throws {
    for size in [1, 1_000] {
      let lines = try ListReaderTests.read(Array(text.utf8), as: .lines, inPiecesOf: size).map(\.url)
      #expect(lines == [text.trimmingBlanks].filter { !$0.isEmpty })
    }
  }

  @Test(arguments: [
    ("NaN", "null"), ("Infinity", "1e999"), ("-Infinity", "-1e999"), ("[1,NaN]", "[1,null]"),
    (#"{"b":[-Infinity, NaN]}"#, #"{"b":[-1e999, null]}"#),
    (#"["NaN, \\\"Infinity",NaN]"#, #"["NaN, \\\"Infinity",null]"#),
  ])
  func `NaN becomes null, and Infinity a number that parsers read as infinity`(
    value: String, expected: String
  ) throws {
    let line = #"{"id":1,"x":\#(value),"url":"http://h/NaN","y":2}"#
    #expect(
      try ListReaderTests.read(line + "\n{\"url\":\"http://h/2\"}", as: .jsonl) == [
        #"1 http://h/NaN {"id":1,"x":\#(expected),"y":2}"#, "2 http://h/2",
      ])
  }

  @Test(arguments: [
    ("\u{9B}31m\u{7F}", #"\u009b31m\u007f"#), ("\u{80}é\u{9F}ÿ\u{A0}", #"\u0080é\u009fÿ\#u{A0}"#),
  ])
  func `control characters of members are escaped`(text: String, expected: String) throws {
    #expect(
      try ListReaderTests.read(#"{"url":"http://h/1","\#(text)":["\#(text)"]}"#, as: .jsonl) == [
        #"1 http://h/1 {"\#(expected)":["\#(expected)"]}"#
      ])
  }

  @Test(arguments: [
    "nan", "Nan", "NaNs", "+Infinity", "Inf", "--Infinity", "-NaN", "1Infinity", "Infinity0", "NaN1",
  ])
  func `other words are not numbers`(value: String) throws {
    let lines = try ListReaderTests.read(#"{"x":\#(value),"url":"http://h/1"}"#, as: .jsonl)
    #expect(lines == ["1 ! the line is not a JSON object"])
  }

  @Test func `required fields must exist`() throws {
    func read(_ text: String, _ format: ListFormat, _ fields: [String]) throws -> [String] {
      var reader = ListReader(format)
      reader.requiredFields = fields
      var records = try reader.read(Array(text.utf8))
      records += try reader.finish()
      return records.map(ListReaderTests.summary)
    }
    #expect(try read("url,id\nhttp://h/1,5", .csv, ["id"]) == [#"2 http://h/1 {"id":"5"}"#])
    for (fields, message) in [
      (["ID"], "it has no column 'ID', but 'id'; name another one; names are case-sensitive"),
      (["id", "url"], "it has no column 'url', but 'id'; name another one"),
    ] {
      #expect(throws: LoadError(.invalidRequest, message)) { try read("url,id\nhttp://h/1,5", .csv, fields) }
    }
    #expect(
      try read("{\"url\":\"http://h/1\",\"id\":null}\n{\"url\":\"http://h/2\"}", .jsonl, ["id"]) == [
        #"1 http://h/1 {"id":null}"#, "2 ! the object has no field 'id'",
      ])
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { !" \n".unicodeScalars.contains($0) }))
  }
}
