internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Records of a list that is not UTF-8")
struct ListEncodingTests {
  @Test(
    "a URL that is not UTF-8 is a defect: a replacement character would make another URL",
    arguments: ListFormat.allCases, [[0xE9], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]])
  func notUTF8(format: ListFormat, bad: [UInt8]) throws {
    let (before, after, url, name) =
      switch format {
      case .lines: ("", "", "", "line")
      case .csv, .tsv: ("url\n", "", "", "column 'url'")
      case .jsonl: ("", "\"}", "{\"url\":\"", "line")
      }
    let text =
      Array((before + url + "http://h/caf").utf8) + bad
      + Array((after + "\n" + url + "http://h/2" + after).utf8)
    let records = try ListReaderTests.read(text, as: format)
    let first = format == .csv || format == .tsv ? 2 : 1
    #expect(records.map(\.line) == [first, first + 1] && records.last?.url == "http://h/2")
    #expect(records.last?.defect == nil && records.first?.defect?.kind == .invalidRequest)
    #expect(records.first?.defect?.message.hasPrefix("the \(name) is not UTF-8") == true)
  }

  @Test(
    "half of a surrogate pair is not a string",
    arguments: [#"\ud800"#, #"\udc00"#, #"\ud800x"#, #"\ude00\ud83d"#])
  func surrogates(text: String) throws {
    let line = #"{"id":1,"url":"http://h/\#(text)"}"#
    #expect(try ListReaderTests.read(line, as: .jsonl) == ["1 ! the field 'url' is not a string {\"id\":1}"])
  }
}
