@testable internal import CellophaneTool
internal import Testing

@Suite("Words of the command line")
struct CommandWordsTests {
  private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  @Test(
    "bytes that are not UTF-8 are percent-encoded in a URL",
    arguments: [
      (Array("http://h/ü".utf8), "http://h/ü"), (Array("-o".utf8), "-o"), ([], ""),
      (latin1("http://h/\u{FF}\u{FE}.jpg"), "http://h/%FF%FE.jpg"),
      (latin1("http://b\u{FC}cher/"), "http://b%FCcher/"),
      (Array("http://h/ü".utf8) + [0xFF], "http://h/%C3%BC%FF"),
      (latin1("--proxy=http://h/\u{FF}"), "--proxy=http://h/%FF"),
      (latin1("file:///a\u{E9}"), "file:///a%E9"), ([0xC3] + Array("http://h/".utf8), nil),
      (latin1("caf\u{E9}.jpg"), nil), ([0xFF], nil), (latin1("caf\u{E9}://h/"), nil),
    ] as [([UInt8], String?)])
  func text(word: [UInt8], expected: String?) { #expect(CommandWords.text(of: word) == expected) }
}
