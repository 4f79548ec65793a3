internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Samples of WebDataset")
struct ShardSampleTests {
  private let result = BatchResult(
    ListRecord(
      position: 0, line: 7, url: "http://h/x", otherFields: Array(#""caption":"a \"cat\"""#.utf8), end: 0))

  @Test(arguments: [0, 1, 511, 512, 513])
  func `a sample is two consecutive files of complete blocks`(count: Int) throws {
    let picture = [UInt8](repeating: 5, count: count)
    let sample = try ShardSample(
      key: "a/000007", picture: picture, suffix: ".jpg", origin: "f00d", result: result)
    let json = Array(result.jsonLine.dropLast())
    let second = 512 + (count + 511) / 512 * 512
    #expect(sample.bytes.count == second + 512 + (json.count + 511) / 512 * 512)
    #expect(Array(sample.bytes[512..<512 + count]) == picture)
    #expect(Array(sample.bytes[second + 512..<second + 512 + json.count]) == json)
    #expect(sample.bytes.starts(with: try TarEntry(name: "a/000007.jpg", bytes: count).header))
    let index = String(decoding: sample.indexLine(at: 2_048), as: UTF8.self)
    #expect(
      index
        == #"{"key":"a/000007","file":"a/000007.jpg","offset":2560,"bytes":\#(count),"index":7,"url":"http://h/x","origin":"f00d"}"#
        + "\n")
  }

  @Test(arguments: [("00000007", "00000007"), ("h.org/a.b c\td", "h_org/a_b_c_d"), ("\u{FC}.", "\u{FC}_")])
  func `a key contains neither dots nor white space`(path: String, key: String) {
    #expect(ShardSample.key(of: path) == key)
  }

  @Test(arguments: [nil, "", "a \"cat\"\nÜ"] as [String?])
  func `a caption is a file between the image and the result`(caption: String?) throws {
    let sample = try ShardSample(
      key: "k", picture: [1], suffix: ".png", caption: caption, origin: "", result: result)
    let names = stride(from: 0, to: sample.bytes.count, by: 512).map {
      String(decoding: sample.bytes[$0..<$0 + 6].prefix { $0 != 0 }, as: UTF8.self)
    }
    let files = names.filter { $0.hasPrefix("k.") }
    #expect(files == (caption == nil ? ["k.png", "k.json"] : ["k.png", "k.txt", "k.json"]))
    if let caption {
      #expect(Array(sample.bytes[1_536..<1_536 + caption.utf8.count]) == Array(caption.utf8))
    }
  }

  @Test func `the offset in the index counts the extended header of a long key`() throws {
    let key = String(repeating: "k", count: 300)
    let sample = try ShardSample(key: key, picture: [9], suffix: ".jpg", origin: "", result: result)
    #expect(sample.file == key + ".jpg" && sample.bytes[1_536] == 9)
    #expect(String(decoding: sample.indexLine(at: 512), as: UTF8.self).contains(#""offset":2048,"#))
  }
}
