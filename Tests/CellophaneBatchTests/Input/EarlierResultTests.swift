internal import Cellophane
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("Results of an earlier run as a list")
struct EarlierResultTests {
  /// Returns the records that are read from `lines`. Checks that the size of the chunks makes no difference.
  func records(of lines: [String]) throws -> [String] {
    var found: [[String]] = []
    for size in [1, 7, 10_000] {
      var reader = ListReader.retrying()
      var records: [ListRecord] = []
      for piece in Array(lines.joined(separator: "\n").utf8).pieces(of: size) {
        records += try reader.read(piece)
      }
      records += try reader.finish()
      #expect(records.map(\.position) == Array(records.indices))
      found.append(records.map(ListReaderTests.summary))
    }
    #expect(Set(found).count == 1)
    return found[0]
  }

  @Test func `records with a retryable failure are read, with their line numbers and fields`() throws {
    #expect(
      try records(of: [
        #"{"index":7,"url":"http://h/7","outcome":"failed","error":{"kind":"timeout","retryable":true},"fields":{"id":1.50,"b":[]}}"#,
        #"{"index":8,"url":"http://h/8","outcome":"failed","error":{"retryable":false}}"#,
        #"{"index":9,"url":"http://h/9","outcome":"fetched","error":{"retryable":true}}"#, "",
        #"{"index":3,"url":"http://h/3","outcome":"failed","error":{"retryable":true},"fields":{}}"#,
        #"{"url":"http://h/none","outcome":"failed","error":{"retryable":true},"fields":7}"#,
      ]) == [#"7 http://h/7 {"id":1.50,"b":[]}"#, "3 http://h/3", "6 http://h/none"])
  }

  @Test func `a line that is not a result becomes a record with a defect`() throws {
    let message = "the line is not a result of an earlier run"
    #expect(
      try records(of: [
        #"{"url":"h","outcome":"fetched"}"#, "http://h", #"{"url":"http://h"}"#,
        #"{"index":3,"url":"h","outcome":"fai"#,
      ]) == ["2 ! " + message, "3 ! " + message, "4 ! " + message])
  }

  @Test(
    "a list whose first line is not a result is an error",
    arguments: ["http://h", "http://h\nhttp://i\n"])
  func list(text: String) {
    #expect(throws: LoadError.self) {
      var reader = ListReader.retrying()
      _ = try reader.read(Array(text.utf8))
      _ = try reader.finish()
    }
  }

  @Test func `the results that this version writes can be read`() throws {
    let world = BatchRunTests.mixedWorld()
    let results = try world.results(of: BatchRunTests.mixed, jobs: 1)
    let lines = results.map { String(decoding: $0.jsonLine.dropLast(), as: UTF8.self) }
    #expect(try records(of: lines) == ["7 http://j/reset", "6 http://i/503", "8 http://k/refused"])
  }
}
