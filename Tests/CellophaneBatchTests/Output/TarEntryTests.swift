internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Tar archives")
struct TarEntryTests {
  /// Returns a field of a header up to its first zero byte.
  func text(_ header: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: header[range].prefix { $0 != 0 }, as: UTF8.self)
  }

  @Test(arguments: [0, 1, 511, 512, 513, 50_000_000, (8 << 30) - 1])
  func `a header contains the size and a valid checksum`(count: Int) throws {
    let entry = try TarEntry(name: "000000001.jpg", bytes: count)
    #expect(entry.header.count == 512)
    #expect(text(entry.header, 0..<100) == "000000001.jpg")
    #expect(Int(text(entry.header, 124..<136), radix: 8) == count)
    #expect(text(entry.header, 257..<263) == "ustar")
    var unsummed = entry.header
    unsummed.replaceSubrange(148..<156, with: repeatElement(UInt8(ascii: " "), count: 8))
    #expect(Int(text(entry.header, 148..<154), radix: 8) == unsummed.reduce(0) { $0 + Int($1) })
    #expect((count + entry.padding) % 512 == 0 && entry.padding < 512)
  }

  @Test func `an empty name and a size beyond the limits are refused`() throws {
    for (name, count) in [("", 1), ("a", 8 << 30)] {
      #expect(throws: LoadError.self) { try TarEntry(name: name, bytes: count) }
    }
  }

  @Test(arguments: [
    String(repeating: "a", count: 101), String(repeating: "b/", count: 2_000) + "x", "Ü.jpg", "北京/図.png",
    String(repeating: "é", count: 46), String(repeating: "c", count: 991), String(repeating: "c", count: 992),
  ])
  func `a long name, or one that is not ASCII, is in an extended header`(name: String) throws {
    let header = try TarEntry(name: name, bytes: 5).header
    #expect(header.count % 512 == 0 && header[156] == UInt8(ascii: "x"))
    let count = try #require(Int(text(header, 124..<136), radix: 8))
    let record = String(decoding: header[512..<512 + count], as: UTF8.self)
    let length = try #require(Int(record.prefix { $0 != " " }))
    #expect(length == count && record == "\(length) path=\(name)\n")
    let plain = Array(header.suffix(512))
    #expect(plain[156] == UInt8(ascii: "0") && Int(text(plain, 124..<136), radix: 8) == 5)
  }
}
