@testable internal import CellophaneImages
internal import Testing

@Suite struct ForeignFormatTests {
  /// The starts of files, with the kind and a part of the message of the expected error.
  static let cases: [(start: [UInt8], kind: LoadError.Kind, message: String)] = [
    ([], .truncated, "there is no image: the file or the body of the response is empty"),
    ([0x89, 0x50], .truncated, "ends after 2 bytes"),
    (Array("\u{1}PNG\n".utf8), .corrupt, "transfer the file as binary"),
    (Array("GIF89a".utf8), .unsupported, "a GIF image"),
    (Array("RIFF....WEBPVP8 ".utf8), .unsupported, "a WebP image"),
    (Array("....ftypavif".utf8), .unsupported, "an AVIF image"),
    ([0x49, 0x49, 0x2A, 0x00], .unsupported, "a TIFF image"),
    ([0x1F, 0x8B, 0x08], .unsupported, "compressed with gzip"),
    (Array("<!DOCTYPE html><p>".utf8), .unsupported, "an HTML page"),
    (Array("\r\n\t <HTML lang=de>".utf8), .unsupported, "an HTML page"),
    (Array("\u{FEFF}\n<html>".utf8), .unsupported, "an HTML page"),
    (Array("<SVG xmlns=''>".utf8), .unsupported, "an SVG image"),
    (Array("<?xml version='1.0'?><!-- é --><svg>".utf8), .unsupported, "an SVG image"),
    (Array("<?XML version='1.0'?><feed>".utf8), .unsupported, "an XML document"),
    (Array(" {\"error\": 1}".utf8), .unsupported, "looks like JSON"),
    (Array("\u{FEFF}[1]".utf8), .unsupported, "looks like JSON"),
    // Only ASCII letters are converted to lowercase: the Kelvin sign is not a k.
    (Array("<\u{212A}html".utf8), .unsupported, "not PNG or JPEG"),
    (Array("\u{FEFF}".utf8), .unsupported, "not PNG or JPEG"),
    (Array(repeating: 0x20, count: 300), .unsupported, "not PNG or JPEG"),
    ([0xEF, 0xBB], .unsupported, "not PNG or JPEG"),
  ]

  @Test(arguments: cases.indices) func `the error names the format`(index: Int) {
    let expected = Self.cases[index]
    let error = #expect(throws: LoadError.self) { try ImageDecoder().header(of: expected.start) }
    #expect(error?.message.contains(expected.message) ?? false, "\(error?.message ?? "")")
    #expect(error?.kind == expected.kind)
  }
}
