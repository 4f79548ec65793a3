internal import Testing

@testable internal import CellophaneBatch

@Suite("Lines of a list")
struct LineSplitterTests {
  /// The lines of `text`, fed in pieces of `size` bytes.
  func lines(_ text: String, inPiecesOf size: Int, longest: Int = 100) -> [(
    number: Int, text: String, end: Int
  )] {
    var splitter = LineSplitter(longest: longest)
    var lines: [(Int, String, Int)] = []
    func take(_ line: LineSplitter.Line) {
      lines.append(
        (line.number, String(decoding: line.bytes, as: UTF8.self) + (line.isComplete ? "" : "..."), line.end))
    }
    for piece in Array(text.utf8).pieces(of: size) { splitter.split(piece, take) }
    splitter.end(take)
    return lines
  }

  @Test(
    "blank lines are counted and skipped; CRLF and white space at the ends are removed", arguments: 1...30)
  func pieces(size: Int) {
    let found = lines("a\r\n\n  b c \n\t\n\u{FC}\n\u{A0}d\u{3000}\n \u{85} \nlast", inPiecesOf: size)
    #expect(found.map(\.number) == [1, 3, 5, 6, 8])
    #expect(found.map(\.text) == ["a", "b c", "\u{FC}", "d", "last"])
    #expect(found.map(\.end) == [3, 11, 16, 23, 32])
  }

  @Test(
    "the rest of a line that is too long is dropped, and the next line is complete",
    arguments: [1, 7, 99, 100, 101, 5_000])
  func tooLong(size: Int) {
    let found = lines(String(repeating: "x", count: 3_000) + "\nnext\n", inPiecesOf: size)
    #expect(found.map(\.text) == [String(repeating: "x", count: 100) + "...", "next"])
    #expect(found.map(\.number) == [1, 2])
  }

  @Test("empty text and blank lines give no lines")
  func nothing() {
    #expect(lines("", inPiecesOf: 1).isEmpty)
    #expect(lines("\n\n", inPiecesOf: 1).isEmpty)
  }
}

extension [UInt8] {
  /// Returns the bytes in pieces of `size` bytes.
  func pieces(of size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
