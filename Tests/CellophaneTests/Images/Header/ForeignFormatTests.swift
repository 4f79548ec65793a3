@testable internal import Cellophane
internal import Testing

@Suite struct ForeignFormatTests {
  /// How files begin, and what the error says of them.
  static let lines: [(begins: [UInt8], kind: LoadError.Kind, says: String)] = [
    ([], .truncated, "there are no bytes"),
    ([0x89, 0x50], .truncated, "ends after 2 bytes"),
    (Array("\u{1}PNG\n".utf8), .corrupt, "transfer it as binary"),
    (Array("GIF89a".utf8), .unsupported, "a GIF picture"),
    (Array("RIFF....WEBPVP8 ".utf8), .unsupported, "a WebP picture"),
    (Array("....ftypavif".utf8), .unsupported, "an AVIF picture"),
    ([0x49, 0x49, 0x2A, 0x00], .unsupported, "a TIFF picture"),
    ([0x1F, 0x8B, 0x08], .unsupported, "compressed with gzip"),
    (Array("<!DOCTYPE html><p>".utf8), .unsupported, "an HTML page"),
    (Array("\r\n\t <HTML lang=de>".utf8), .unsupported, "an HTML page"),
    (Array("\u{FEFF}\n<html>".utf8), .unsupported, "an HTML page"),
    (Array("<SVG xmlns=''>".utf8), .unsupported, "an SVG picture"),
    (Array("<?xml version='1.0'?><!-- é --><svg>".utf8), .unsupported, "an SVG picture"),
    (Array("<?XML version='1.0'?><feed>".utf8), .unsupported, "an XML document"),
    (Array(" {\"error\": 1}".utf8), .unsupported, "looks like JSON"),
    (Array("\u{FEFF}[1]".utf8), .unsupported, "looks like JSON"),
    // What is no ASCII has no small letters here, and no meaning: the sign for Kelvin is no k.
    (Array("<\u{212A}html".utf8), .unsupported, "neither PNG nor JPEG"),
    (Array("\u{FEFF}".utf8), .unsupported, "neither PNG nor JPEG"),
    (Array(repeating: 0x20, count: 300), .unsupported, "neither PNG nor JPEG"),
    ([0xEF, 0xBB], .unsupported, "neither PNG nor JPEG"),
  ]

  @Test(arguments: lines.indices) func isTold(index: Int) {
    let line = Self.lines[index]
    let error = ForeignFormat.error(for: ByteView(line.begins))
    #expect(error.message.contains(line.says), "\(error.message)")
    #expect(error.kind == line.kind)
  }
}
