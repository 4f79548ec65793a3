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

  @Test func `a name or a size beyond the limits is refused`() throws {
    _ = try TarEntry(name: String(repeating: "a", count: 100), bytes: 1)
    for (name, count) in [("", 1), (String(repeating: "a", count: 101), 1), ("a", 8 << 30)] {
      #expect(throws: LoadError.self) { try TarEntry(name: name, bytes: count) }
    }
  }
}
