import Testing

@testable import Cellophane

/// Whatever is wrong or odd with a file, libpng decides what it means.
@Suite struct InflatedPNGFlawTests {
  private static let kinds: [(color: UInt8, depth: UInt8, transparency: Int?)] = [
    (2, 8, 6), (3, 4, 9), (6, 8, nil), (0, 16, 2),
  ]

  private static let files = kinds.map { kind in
    var file = PNGFile(kind, 5, 5, filters: [0, 1, 2, 3, 4], seed: 2)
    file.parts = [30, 0, 50]
    return file
  }

  @Test func everyDamagedByteIsAnErrorOrTheSamePicture() {
    for file in Self.files {
      let bytes = file.bytes
      var numbers = SplitMix64(seed: bytes.count)
      for index in bytes.indices {
        for change in [1, 0x20, 0x80, UInt8.random(in: 1...255, using: &numbers)] {
          var damaged = bytes
          damaged[index] ^= change
          expectAgreement(damaged, "byte \(index) changed by \(change)")
          expectAgreement(PNGFile.resummed(damaged), "byte \(index) changed by \(change), summed again")
        }
      }
    }
  }

  @Test func damagedRowsWithRightChecksumsAgree() {
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

  @Test func noFileThatIsCutOffIsTaken() {
    for file in Self.files {
      for count in file.bytes.indices {
        #expect(inflatedPixels(Array(file.bytes[..<count])) == nil, "\(count) bytes")
      }
    }
  }

  @Test func whatIsUnusualIsLeftToLibpng() {
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
    let flawed: [(String, [UInt8])] = [
      ("no data", start(rgb) + end),
      ("empty data", start(rgb) + pngChunk("IDAT", []) + end),
      ("no end", start(rgb) + rgb.data),
      ("an end that is not empty", start(rgb) + rgb.data + pngChunk("IEND", [0])),
      ("an end before the data", start(rgb) + end + rgb.data + end),
      ("two headers", start(rgb) + rgb.header + rgb.data + end),
      ("data apart", start(rgb) + rgb.data + text + pngChunk("IDAT", []) + end),
      ("data behind the stream", start(rgb) + rgb.data + pngChunk("IDAT", [0]) + end),
      ("a row too many", altered(rgb) { $0.rows += [UInt8](repeating: 0, count: 13) }),
      ("a byte too many", altered(rgb) { $0.rows.append(0) }),
      ("a byte too few", altered(rgb) { $0.rows.removeLast() }),
      ("a filter that is none", altered(rgb) { $0.rows[13] = 5 }),
      ("interlacing", altered(rgb) { $0.interlace = 1 }),
      ("a preset dictionary", start(rgb) + pngChunk("IDAT", [0x78, 0x20] + rgb.stream.dropFirst(2)) + end),
      ("a window of 64 KB", altered(rgb) { $0.window = 0x88 }),
      (
        "a window that is too small",
        altered(PNGFile((0, 8, nil), 300, 3, filters: [0], seed: 1)) { $0.window = 0x08 }
      ),
      ("no palette", start(indexed) + indexed.data + end),
      ("a palette behind the data", start(indexed) + indexed.data + palette + end),
      ("two palettes", start(indexed) + palette + palette + indexed.data + end),
      ("a palette of no colours", start(indexed) + pngChunk("PLTE", []) + indexed.data + end),
      ("half a colour", start(indexed) + pngChunk("PLTE", [1, 2, 3, 4]) + indexed.data + end),
      ("257 colours", altered(rgb) { $0.palette = Array(repeating: 0, count: 257 * 3) }),
      ("a palette of greys", altered(gray) { $0.palette = [1, 2, 3] }),
      ("more alphas than colours", altered(indexed) { $0.transparency = Array(repeating: 9, count: 4) }),
      (
        "more alphas than indices",
        altered(indexed) {
          $0.palette = Array(repeating: 9, count: 24)
          $0.transparency = Array(repeating: 9, count: 5)
        }
      ),
      ("no alphas", altered(indexed) { $0.transparency = [] }),
      ("alphas before the palette", start(indexed) + pngChunk("tRNS", [1]) + palette + indexed.data + end),
      ("alpha twice over", altered(rgba) { $0.transparency = [0, 1, 0, 2, 0, 3] }),
      ("a short transparent colour", altered(rgb) { $0.transparency = [0, 1] }),
      ("two transparent colours", start(rgb) + transparency + transparency + rgb.data + end),
      ("a transparent colour behind the data", start(rgb) + rgb.data + transparency + end),
      ("a transparent colour before the palette", start(rgb) + transparency + palette + rgb.data + end),
      ("a critical chunk", start(rgb) + pngChunk("ABCD", []) + rgb.data + end),
      ("a critical chunk behind the data", start(rgb) + rgb.data + pngChunk("ABCD", []) + end),
      ("a name of no letters", start(rgb) + pngChunk("a[cd", []) + rgb.data + end),
      ("text whose checksum is wrong", start(rgb) + text.dropLast() + [text.last! ^ 1] + rgb.data + end),
      ("another compression", PNGFile.resummed(start(rgb).prefix(26) + [1] + rgb.bytes.dropFirst(27))),
    ]
    for (what, bytes) in flawed {
      #expect(inflatedPixels(bytes) == nil, "\(what)")
    }
  }

  @Test func whatIsUncommonButRightIsTaken() {
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
    let right: [(String, [UInt8])] = [
      ("private chunks", start + text + rgb.colors + text + rgb.data + text + PNGFile.end),
      ("bytes behind the end", rgb.bytes + [1, 2, 3]),
      ("chunks behind the end", rgb.bytes + rgb.header + rgb.data + PNGFile.end),
      ("empty data around", start + pngChunk("IDAT", []) + rgb.data + pngChunk("IDAT", []) + PNGFile.end),
      ("a suggested palette", altered(rgba) { $0.palette = [1, 2, 3] }),
      ("more colours than indices", altered(indexed) { $0.palette = (0..<24).map { $0 } }),
      (
        "indices beyond the palette",
        altered(indexed) {
          $0.palette = [1, 2, 3]
          $0.transparency = [7]
        }
      ),
      ("a small window that is enough", altered(rgb) { $0.window = 0x08 }),
      ("a transparent colour beyond the depth", altered(rgb) { $0.transparency = [1, 0, 2, 1, 3, 0xFF] }),
    ]
    for (what, bytes) in right {
      expectAgreement(bytes, isTaken: true, what)
    }
  }
}
