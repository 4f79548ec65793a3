@testable internal import CellophaneTool
internal import Testing

@Suite("Lines of a list")
struct LineSplitterTests {
  typealias Line = LineSplitter.Line

  /// The lines of `text`, fed in pieces of `size` bytes.
  func lines(_ text: String, inPiecesOf size: Int) -> [Line] {
    var splitter = LineSplitter()
    var lines: [Line] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      lines += splitter.split(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    if let last = splitter.end() { lines.append(last) }
    return lines
  }

  @Test("blank lines count but give nothing; foreign line ends and white space go", arguments: 1...9)
  func pieces(size: Int) {
    let found = lines("a\r\n\n  b c \n\t\n\u{FC}\nlast", inPiecesOf: size)
    #expect(
      found == [
        Line(number: 1, text: "a"), Line(number: 3, text: "b c"), Line(number: 5, text: "\u{FC}"),
        Line(number: 6, text: "last"),
      ])
  }

  @Test("the rest of an endless line is dropped, and the next one is whole")
  func endless() {
    let found = lines(String(repeating: "x", count: 300_000) + "\nnext\n", inPiecesOf: 65_536)
    #expect(found.map(\.text.utf8.count) == [LineSplitter.longest, 4])
    #expect(found.map(\.number) == [1, 2])
  }

  @Test("nothing gives nothing")
  func nothing() {
    #expect(lines("", inPiecesOf: 1).isEmpty)
    #expect(lines("\n\n", inPiecesOf: 1).isEmpty)
  }
}
