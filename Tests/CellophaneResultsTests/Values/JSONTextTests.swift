internal import Foundation
internal import Testing

@testable internal import CellophaneResults

@Suite struct JSONTextTests {
  @Test func `no control character of a text reaches the output, and a parser reads the text`() throws {
    let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init))) + "é😀\u{2028}"
    for json in [try JSONText.line(["text": text]), try JSONText.lines(["text": text])] {
      let controls = String(decoding: json, as: UTF8.self).unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n"
      }
      #expect(controls.isEmpty)
      #expect(try JSONDecoder().decode([String: String].self, from: Data(json)) == ["text": text])
    }
  }

  @Test(arguments: [
    ("a\u{9B}31m", "a\\u009b31m"), ("\u{7F}", "\\u007f"), ("\u{80}\u{9F}", "\\u0080\\u009f"),
    ("\u{1B}[2J", "\\u001b[2J"), ("\u{A0}", "\u{A0}"), ("Â", "Â"),
  ])
  func `C1 controls and DEL are escaped`(text: String, written: String) throws {
    #expect(
      String(decoding: try JSONText.line([text]), as: UTF8.self).lowercased()
        == "[\"\(written)\"]".lowercased())
  }
}
