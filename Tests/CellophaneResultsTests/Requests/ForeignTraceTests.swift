import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct ForeignTraceTests {
  private static func message(
    _ bytes: [UInt8], as format: RequestFormat? = nil, step: Int = 1 << 20
  ) -> String? {
    do {
      _ = try RequestReaderTests.read(bytes, as: format, step: step)
      return nil
    } catch { return (error as? LoadError)?.message ?? "\(error)" }
  }

  static let binary: [([UInt8], String)] = [
    (PNGHeader.signature + [0, 0, 0, 13], "a is a PNG image, not a trace of requests"),
    (JPEGHeader.signature + [0xE0, 0, 16, 0x0A], "a is a JPEG image, not a trace of requests"),
    (
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 7, count: 30),
      "a is compressed with gzip; decompress it: gzip -dc FILE | cellophane simulate --requests -"
    ),
    ([0x28, 0xB5, 0x2F, 0xFD, 4, 0, 0x0A], "a is compressed with zstd; decompress it: zstd -dc FILE |"),
  ]

  /// A compressed file is often given the format of its content.
  @Test(arguments: binary, [nil, .txt, .csv(RequestFormat.Columns()), .oracleGeneral] as [RequestFormat?])
  func `an image or a compressed file is rejected in every format`(
    file: ([UInt8], String), format: RequestFormat?
  ) {
    for step in [1, 5, 1 << 20] {
      let message = Self.message(file.0, as: format, step: step)
      #expect(message?.hasPrefix(file.1) == true, "\(message ?? "accepted")")
    }
  }

  @Test(arguments: [
    ("{\n  \"schema\": 1\n}\n", "JSON"), ("{\"a\":1,\"b\":2}", "JSON"), ("  [1,2]\n", nil), ("[]\n", "JSON"),
    ("[{\"a\":1}]\n", "JSON"), ("<!DOCTYPE html>\n<html>\n", "HTML or XML"),
    ("<Html lang=en>", "HTML or XML"),
    ("<?xml version=\"1.0\"?>\n", "HTML or XML"), ("{user}:1\n", nil), ("[2001:db8::1]\n", nil),
    ("<1>\n", nil),
  ])
  func `a first line of JSON or HTML is rejected, and an id in brackets is not`(text: String, kind: String?) {
    let message = Self.message(Array(text.utf8))
    if let kind {
      #expect(message?.hasPrefix("a, line 1 looks like \(kind), not like a request; the format ") == true)
      #expect(Self.message(Array(text.utf8), as: .txt) == nil)
    } else {
      #expect(message?.contains("looks like") != true)
    }
  }

  @Test func `control characters are rejected in a guessed text format only`() {
    let bytes = Array("7\tx\r\n8\u{1}\n".utf8)
    #expect(
      Self.message(bytes)
        == "a, line 2 has control characters, so the file is not text; the format txt was guessed: "
        + "choose another with --requests-format")
    #expect(Self.message(bytes, as: .txt) == nil)
  }

  @Test func `records that are not requests are rejected if oracleGeneral was guessed`() {
    let bytes = RequestReaderTests.record(1, 7, 100, -3)
    #expect(Self.message(bytes)?.hasPrefix("a, record 1 is not a time, an id, a size and the number") == true)
    #expect(Self.message(bytes, as: .oracleGeneral) == nil)
    for next in [-2, -1, 0, .max] as [Int64] {
      #expect(Self.message(RequestReaderTests.record(1, 7, 100, next)) == nil)
    }
  }

  @Test func `an error names the guessed format and the option that chooses another`() {
    let line = Array("1 7 x\n".utf8)
    let guessed = "; the format webcachesim was guessed: choose another with --requests-format"
    #expect(Self.message(line)?.hasSuffix(guessed) == true)
    let given = "; correct the file, or choose another format with --requests-format"
    #expect(Self.message(line, as: .webcachesim)?.hasSuffix(given) == true)
    let long = [UInt8](repeating: 0x61, count: RequestReader.longestLine + 1)
    #expect(Self.message(long)?.hasSuffix(" bytes; choose a format with --requests-format") == true)
  }
}
