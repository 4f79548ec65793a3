@testable internal import CellophaneImages
internal import TestSupport
internal import Testing

/// Tests of files that deviate from their format. Those whose pixels are all there are images with a warning.
@Suite struct ImageWarningTests {
  /// Fails unless `bytes` decode to `pixels` with `warnings`, at once, in pieces and without keeping pixels.
  private func expect(
    _ bytes: [UInt8], _ pixels: [UInt8], _ warnings: [ImageWarning], _ name: String
  ) throws {
    let image = try ImageDecoder().decode(bytes, options: ImageOptions())
    #expect(image.warnings == warnings && !image.isPartial && image.pixels == pixels, "\(name)")
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(try fed(bytes, cutAt: randomCuts(bytes, count: 4, seed: seed)) == image, "\(name) in pieces")
    }
    var options = ImageOptions()
    options.discardsPixels = true
    let checked = try ImageDecoder().decode(bytes, options: options)
    #expect(checked.warnings == warnings && checked.pixels.isEmpty && checked.width == image.width, "\(name)")
  }

  private func kind(_ bytes: [UInt8]) -> LoadError.Kind? {
    do throws(LoadError) { _ = try ImageDecoder().decode(bytes, options: ImageOptions()) } catch {
      return error.kind
    }
    return nil
  }

  /// Returns a chunk whose checksum has one wrong bit.
  private func damaged(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var chunk = pngChunk(name, content)
    chunk[chunk.count - 1] ^= 1
    return chunk
  }

  private let file = PNGFile((2, 8, nil), 7, 5, filters: [0, 1, 2, 3, 4], seed: 3)

  private func png(_ before: [UInt8] = [], _ after: [UInt8] = [], end: [UInt8] = PNGFile.end) -> [UInt8] {
    PNGFile.signature + file.header + before + file.data + after + end
  }

  @Test(arguments: ["tEXt", "pHYs", "iCCP", "gAMA", "eXIf", "tIME", "prVt", "zTXt", "sRGB", "cHRM", "bKGD"])
  func `a wrong checksum of an ancillary chunk is a warning`(name: String) throws {
    let pixels = try ImageDecoder().decode(png(), options: ImageOptions()).pixels
    let chunk = damaged(name, [1, 2, 3, 4])
    try expect(png(chunk), pixels, [.damagedMetadata], name)
    try expect(png([], chunk), pixels, [.damagedMetadata], name + " after the pixels")
  }

  @Test func `a damaged or missing end of a PNG is a warning`() throws {
    let pixels = try ImageDecoder().decode(png(), options: ImageOptions()).pixels
    for cut in 1...12 { try expect(png().dropLast(cut), pixels, [.missingEnd], "without \(cut) bytes") }
    let text = pngChunk("tEXt", [65, 0, 66])
    try expect(png([], text.dropLast(5), end: []), pixels, [.missingEnd], "cut in a text")
    try expect(png([], text, end: []), pixels, [.missingEnd], "cut after a text")
    try expect(png(end: damaged("IEND", [])), pixels, [.missingEnd], "a wrong checksum")
    try expect(png(end: [UInt8](repeating: 0, count: 40)), pixels, [.missingEnd], "zeros")
    try expect(png(end: Array("<html>not found</html>".utf8)), pixels, [.missingEnd], "other bytes")
    try expect(png() + [1, 2, 3], pixels, [], "bytes after the end")
    try expect(png(end: pngChunk("IEND", [1])), pixels, [.irregularHeader], "an end with content")
  }

  @Test func `damage to the pixels of a PNG is an error`() {
    #expect(kind(PNGFile.signature + file.header + damaged("IDAT", file.stream) + PNGFile.end) == .corrupt)
    for cut in 13...20 { #expect(kind(png().dropLast(cut)) == .truncated, "\(cut)") }
    for (color, name) in [(0, "tRNS"), (2, "tRNS"), (3, "PLTE"), (3, "tRNS")] as [(UInt8, String)] {
      let kind = (color, depth: 8 as UInt8, transparency: color == 3 ? 3 : nil as Int?)
      var colored = PNGFile(kind, 4, 3, filters: [0], seed: 5)
      let palette = colored.palette.map { name == "PLTE" ? damaged(name, $0) : pngChunk("PLTE", $0) } ?? []
      colored.palette = nil
      let transparency = damaged("tRNS", [0, 1, 0, 1, 0, 1].dropLast(color == 0 ? 4 : color == 3 ? 3 : 0))
      let start = PNGFile.signature + colored.header + palette
      let bytes = start + (name == "tRNS" ? transparency : []) + colored.data + PNGFile.end
      #expect(self.kind(bytes) == .corrupt, "\(color) \(name)")
    }
    // A tRNS whose name has one wrong bit.
    var renamed = pngChunk("tRNS", [0, 1, 0, 1, 0, 1])
    renamed[5] ^= 2
    #expect(kind(png(renamed)) == .corrupt)
  }

  @Test func `a palette that is only a suggestion may be damaged`() throws {
    let pixels = try ImageDecoder().decode(png(), options: ImageOptions()).pixels
    try expect(png(damaged("PLTE", [1, 2, 3])), pixels, [.damagedMetadata], "a suggested palette")
  }

  @Test func `a damaged orientation does not count`() throws {
    let upright = pngChunk("eXIf", [77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0])
    #expect(try ImageDecoder().header(of: png(upright)).displaySize == PixelSize(width: 5, height: 7))
    var damaged = upright
    damaged[damaged.count - 1] ^= 1
    #expect(try ImageDecoder().header(of: png(damaged)).displaySize == PixelSize(width: 7, height: 5))
  }

  /// Huffman files of all kinds of scans. Each ends with its end marker.
  @Test(arguments: [
    "jpeg-odd/420-35x27.jpg", "jpeg-odd/420-progressive.jpg", "jpeg-odd/420-restart.jpg",
    "jpeg-odd/420-apart.jpg", "jpeg-odd/quality-100.jpg", "jpeg-odd/scans-successive-restart.jpg",
  ])
  func `a JPEG without its end marker is an image`(file: String) throws {
    let bytes = try Corpus.bytes(of: file)
    try #require(bytes.suffix(2) == [0xFF, 0xD9])
    let pixels = try ImageDecoder().decode(bytes, options: ImageOptions()).pixels
    let data = Array(bytes.dropLast(2))
    try expect(data, pixels, [.missingEnd], "\(file) without its end")
    try expect(data + [0xFF], pixels, [.missingEnd], "\(file) with half its end")
    try expect(data + [UInt8](repeating: 0, count: 100), pixels, [.missingEnd], "\(file) with zeros")
    try expect(bytes + [UInt8](repeating: 0, count: 100), pixels, [], "\(file) with zeros after its end")
    #expect(kind(data + Array("<html>an error</html>".utf8)) == .truncated)
    for cut in 2...9 {
      #expect(kind(data.dropLast(cut)) == .truncated, "\(file) without \(cut) bytes of data")
      let filled = data.dropLast(cut) + [UInt8](repeating: 0, count: 100)
      #expect(kind(Array(filled)) == .truncated, "\(file) with zeros for \(cut) bytes of data")
    }
  }

  @Test(arguments: [
    "jpeg-odd/420-arithmetic.jpg", "jpeg-odd/scans-unrefined.jpg", "jpeg-odd/scans-DC-only.jpg",
  ])
  func `an end that cannot be told from a cut needs its marker`(file: String) throws {
    #expect(kind(try Corpus.bytes(of: file).dropLast(2)) == .truncated)
  }

  @Test(arguments: [[0, 0, 0], [0, 62, 0], [1, 63, 0], [0, 63, 0x11]] as [[UInt8]])
  func `a sequential scan has all coefficients`(parameters: [UInt8]) throws {
    var bytes = try Corpus.bytes(of: "jpeg-odd/420-35x27.jpg")
    let pixels = try ImageDecoder().decode(bytes, options: ImageOptions()).pixels
    let scan = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let end = scan + 2 + Int(bytes[scan + 3])
    bytes.replaceSubrange(end - 3..<end, with: parameters)
    try expect(bytes, pixels, [.irregularHeader], "\(parameters)")
  }
}

extension ImageWarningTests {
  private func expect(
    _ bytes: ArraySlice<UInt8>, _ pixels: [UInt8], _ warnings: [ImageWarning], _ name: String
  ) throws {
    try expect(Array(bytes), pixels, warnings, name)
  }

  private func kind(_ bytes: ArraySlice<UInt8>) -> LoadError.Kind? { kind(Array(bytes)) }
}
