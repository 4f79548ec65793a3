import Testing

@testable import CellophaneImages

/// Invalid and uncommon files have the result of libpng.
@Suite struct InflatedPNGFlawTests {
  private static let kinds: [(color: UInt8, depth: UInt8, transparency: Int?)] = [
    (2, 8, 6), (3, 4, 9), (6, 8, nil), (0, 16, 2),
  ]

  private static let files = kinds.map { kind in
    var file = PNGFile(kind, 5, 5, filters: [0, 1, 2, 3, 4], seed: 2)
    file.parts = [30, 0, 50]
    return file
  }

  @Test func `every damaged byte results in an error or the same image`() {
    for file in Self.files {
      let bytes = file.bytes
      var numbers = SplitMix64(seed: bytes.count)
      for index in bytes.indices {
        for change in [1, 0x20, 0x80, UInt8.random(in: 1...255, using: &numbers)] {
          var damaged = bytes
          damaged[index] ^= change
          expectAgreement(damaged, "byte \(index) changed by \(change)")
          expectAgreement(PNGFile.resummed(damaged), "byte \(index) changed by \(change), resummed")
        }
      }
    }
  }

  @Test func `damaged rows with valid checksums decode as in libpng`() {
    for var file in Self.files {
      let rows = file.rows
      for index in rows.indices {
        for change in [1, 4, 0x80, 0xFF] as [UInt8] {
          file.rows = rows
          file.rows[index] ^= change
          expectAgreement(file.bytes, "row byte \(index) changed by \(change)")
        }
      }
    }
  }

  @Test func `the fast path rejects truncated files`() {
    for file in Self.files {
      for count in file.bytes.indices {
        #expect(inflatedPixels(Array(file.bytes[..<count])) == nil, "\(count) bytes")
      }
    }
  }

  @Test func `the fast path rejects files with errors`() {
    let rgb = PNGFile((2, 8, 6), 4, 3, filters: [4], seed: 2)
    let gray = PNGFile((0, 8, nil), 4, 3, filters: [4], seed: 2)
    let rgba = PNGFile((6, 8, nil), 4, 3, filters: [4], seed: 2)
    let indexed = PNGFile((3, 2, 2), 4, 3, filters: [0], seed: 2)
    let palette = pngChunk("PLTE", [1, 2, 3, 4, 5, 6])
    let transparency = pngChunk("tRNS", [0, 1, 0, 2, 0, 3])
    let text = pngChunk("tEXt", Array("a\u{0}b".utf8))
    let (signature, end) = (PNGFile.signature, PNGFile.end)
    func start(_ file: PNGFile) -> [UInt8] { signature + file.header }
    func altered(_ file: PNGFile, _ change: (inout PNGFile) -> Void) -> [UInt8] {
      var file = file
      change(&file)
      return file.bytes
    }
    let invalid: [(String, [UInt8])] = [
      ("no data", start(rgb) + end),
      ("empty data", start(rgb) + pngChunk("IDAT", []) + end),
      ("no end", start(rgb) + rgb.data),
      ("an end that is not empty", start(rgb) + rgb.data + pngChunk("IEND", [0])),
      ("an end before the data", start(rgb) + end + rgb.data + end),
      ("two headers", start(rgb) + rgb.header + rgb.data + end),
      ("separated data chunks", start(rgb) + rgb.data + text + pngChunk("IDAT", []) + end),
      ("data after the stream", start(rgb) + rgb.data + pngChunk("IDAT", [0]) + end),
      ("one row too many", altered(rgb) { $0.rows += [UInt8](repeating: 0, count: 13) }),
      ("one byte too many", altered(rgb) { $0.rows.append(0) }),
      ("one byte too few", altered(rgb) { $0.rows.removeLast() }),
      ("an undefined filter type", altered(rgb) { $0.rows[13] = 5 }),
      ("interlacing", altered(rgb) { $0.interlace = 1 }),
      ("a preset dictionary", start(rgb) + pngChunk("IDAT", [0x78, 0x20] + rgb.stream.dropFirst(2)) + end),
      ("a window of 64 KB", altered(rgb) { $0.window = 0x88 }),
      (
        "a window size that is too small",
        altered(PNGFile((0, 8, nil), 300, 3, filters: [0], seed: 1)) { $0.window = 0x08 }
      ),
      ("no palette", start(indexed) + indexed.data + end),
      ("a palette after the data", start(indexed) + indexed.data + palette + end),
      ("two palettes", start(indexed) + palette + palette + indexed.data + end),
      ("an empty palette", start(indexed) + pngChunk("PLTE", []) + indexed.data + end),
      ("an incomplete color", start(indexed) + pngChunk("PLTE", [1, 2, 3, 4]) + indexed.data + end),
      ("257 colors", altered(rgb) { $0.palette = Array(repeating: 0, count: 257 * 3) }),
      ("a palette in a gray image", altered(gray) { $0.palette = [1, 2, 3] }),
      ("more alpha values than colors", altered(indexed) { $0.transparency = Array(repeating: 9, count: 4) }),
      (
        "more alpha values than indices",
        altered(indexed) {
          $0.palette = Array(repeating: 9, count: 24)
          $0.transparency = Array(repeating: 9, count: 5)
        }
      ),
      ("no alpha values", altered(indexed) { $0.transparency = [] }),
      (
        "alpha values before the palette",
        start(indexed) + pngChunk("tRNS", [1]) + palette + indexed.data + end
      ),
      ("tRNS in an image with alpha", altered(rgba) { $0.transparency = [0, 1, 0, 2, 0, 3] }),
      ("a short transparent color", altered(rgb) { $0.transparency = [0, 1] }),
      ("two transparent colors", start(rgb) + transparency + transparency + rgb.data + end),
      ("a transparent color after the data", start(rgb) + rgb.data + transparency + end),
      ("a transparent color before the palette", start(rgb) + transparency + palette + rgb.data + end),
      ("an unknown critical chunk", start(rgb) + pngChunk("ABCD", []) + rgb.data + end),
      ("an unknown critical chunk after the data", start(rgb) + rgb.data + pngChunk("ABCD", []) + end),
      ("a chunk name with other characters than letters", start(rgb) + pngChunk("a[cd", []) + rgb.data + end),
      ("text with a wrong checksum", start(rgb) + text.dropLast() + [text.last! ^ 1] + rgb.data + end),
      ("another compression method", PNGFile.resummed(start(rgb).prefix(26) + [1] + rgb.bytes.dropFirst(27))),
    ]
    for (name, bytes) in invalid {
      #expect(inflatedPixels(bytes) == nil, "\(name)")
    }
  }

  @Test func `the fast path accepts uncommon valid files`() {
    let rgb = PNGFile((2, 8, 6), 4, 3, filters: [4], seed: 2)
    let rgba = PNGFile((6, 8, nil), 4, 3, filters: [4], seed: 2)
    let indexed = PNGFile((3, 2, 2), 4, 3, filters: [0], seed: 2)
    let text = pngChunk("prVt", [1, 2, 3])
    let start = PNGFile.signature + rgb.header
    func altered(_ file: PNGFile, _ change: (inout PNGFile) -> Void) -> [UInt8] {
      var file = file
      change(&file)
      return file.bytes
    }
    let valid: [(String, [UInt8])] = [
      ("private chunks", start + text + rgb.colors + text + rgb.data + text + PNGFile.end),
      ("bytes after the end", rgb.bytes + [1, 2, 3]),
      ("chunks after the end", rgb.bytes + rgb.header + rgb.data + PNGFile.end),
      (
        "empty data chunks before and after",
        start + pngChunk("IDAT", []) + rgb.data + pngChunk("IDAT", []) + PNGFile.end
      ),
      ("a suggested palette", altered(rgba) { $0.palette = [1, 2, 3] }),
      ("more colors than indices", altered(indexed) { $0.palette = (0..<24).map { $0 } }),
      (
        "indices beyond the palette",
        altered(indexed) {
          $0.palette = [1, 2, 3]
          $0.transparency = [7]
        }
      ),
      ("a small window that is sufficient", altered(rgb) { $0.window = 0x08 }),
      (
        "a transparent color that exceeds the depth",
        altered(rgb) { $0.transparency = [1, 0, 2, 1, 3, 0xFF] }
      ),
    ]
    for (name, bytes) in valid {
      expectAgreement(bytes, usesFastPath: true, name)
    }
  }
}
