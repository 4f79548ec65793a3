internal import CellophaneImages
internal import Foundation
internal import TestSupport
internal import Testing

/// Regression tests for errors that fuzzing found.
@Suite struct FuzzFindingsTests {
  private let decoder = ImageDecoder()
  private let partial = ImageOptions(allowsPartial: true)

  /// libjpeg adopts the size and the number of components of a second frame header before it rejects that
  /// header.
  ///
  /// The partial image was then created with the new values, from uninitialized memory.
  @Test(arguments: [1, 3, 4] as [UInt8])
  func `a second frame header does not change the partial image`(components: UInt8) throws {
    let file = try #require(PictureFixture.jpeg.first { $0.name == "progressive" }).bytes
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let position = try #require(scans.dropFirst(3).first)
    let parts = (0..<components).flatMap { [$0 + 1, 0x11, 0] as [UInt8] }
    let frame: [UInt8] = [0xFF, 0xC2, 0, 8 + 3 * components, 8, 1, 0, 1, 0, components] + parts
    let before = Array(file[..<position])
    let expected = try decoder.decode(before, options: partial)
    let damaged = try decoder.decode(before + frame + file[position...], options: partial)
    #expect(damaged == expected && damaged.isPartial)

    // The same result while the second header is still arriving.
    for length in frame.indices {
      let decoding = try #require(decoder.incremental(options: partial))
      _ = try decoding.feed(before + frame[..<length])
      #expect(try decoding.preview() == expected, "\(length) bytes of it")
    }
  }

  /// Rows of an interlaced PNG in the same piece as damage after them were not counted.
  @Test func `rows before damage are shown regardless of the pieces`() throws {
    // Adam7, with an invalid filter in the first pass.
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAkAAAARBAAAAAGYiAStAAAAg0lEQVR42gF3AIj/AosBfQM8AJAAYASwAGKQApMgBNEAFQTUAd8AbwBd"
      + "esADmEsbA6vZHgAbbNAB1R0ApvwEvDYDBKcAKoAEt7QAYgEBjDEEvVcA0W9OoNAE/3kWyHAEkifH16kD4KNKEewAxZRMFCBaAcCHa+QaAF"
      + "wNglQwBMSfpDGcDe8qMDAFYGQAAAAAVenS6fwXxtE="
    let file = Array(try #require(Data(base64Encoded: text)))
    let atOnce = try decoder.decode(file, options: partial)
    #expect(atOnce.isPartial)
    #expect(try fed(file, cutAt: Array(1..<file.count), options: partial) == atOnce)
  }

  /// libpng discards a row that arrives together with a wrong checksum, but not a row that arrives before it.
  @Test func `the last row before damage does not depend on the pieces`() throws {
    var file = PNGFile((6, 8, nil), 5, 3, filters: [0], seed: 1)
    let stream = file.stream
    file.rows = []
    let bytes = png(like: file, [stream.dropLast() + [stream[stream.count - 1] ^ 1]])
    let atOnce = try decoder.decode(bytes, options: partial)
    #expect(atOnce.isPartial)
    for cut in bytes.indices {
      #expect(try fed(bytes, cutAt: [cut], options: partial) == atOnce, "cut at \(cut)")
    }
  }

  /// For data after the pixels of a PNG, the row reader of libpng is the reference, regardless of the pieces.
  ///
  /// A wrong checksum is an error, except after excess data. It must also be in the block that libpng reads
  /// together with the last pixels: 8192 bytes or the rest of the chunk.
  @Test(arguments: [
    (extra: 0, bytesBeforeSplit: nil, isWrong: true),
    (extra: 0, bytesBeforeSplit: -4, isWrong: false),
    (extra: 0, bytesBeforeSplit: -2, isWrong: false),
    (extra: 1, bytesBeforeSplit: nil, isWrong: false),
    (extra: 10, bytesBeforeSplit: nil, isWrong: false),
    (extra: 10, bytesBeforeSplit: -4, isWrong: false),
  ])
  func `a wrong checksum has one outcome regardless of the pieces`(
    extra: Int, bytesBeforeSplit: Int?, isWrong: Bool
  ) throws {
    let file = PNGFile((6, 8, nil), 5, 3, filters: [0], seed: 1)
    var longer = file
    longer.rows += Array(repeating: 7, count: extra)
    let stream = longer.stream.dropLast() + [longer.stream[longer.stream.count - 1] ^ 1]
    let split = stream.count + (bytesBeforeSplit ?? 0)
    let bytes = png(
      like: file, [stream[..<split], stream[split...]].filter { !$0.isEmpty }.map { Array($0) })
    expectOneOutcome(
      of: bytes, isError: isWrong, cuts: (0..<bytes.count).map { [$0] } + [Array(bytes.indices)])
  }

  /// The file has a wrong checksum, which is ignored while the file arrives, and then an unknown chunk.
  @Test func `damage has precedence over unsupported data after it`() throws {
    let file = PNGFile((6, 8, nil), 5, 3, filters: [0], seed: 1)
    let stream = file.stream.dropLast() + [file.stream[file.stream.count - 1] ^ 1]
    var bytes = png(like: file, [Array(stream)])
    bytes.insert(contentsOf: pngChunk("XYZa", []), at: bytes.count - PNGFile.end.count)
    let atOnce = try decoder.decode(bytes, options: partial)
    for cut in bytes.indices {
      #expect(try fed(bytes, cutAt: [cut], options: partial) == atOnce, "cut at \(cut)")
      let error = #expect(throws: LoadError.self) { try fed(bytes, cutAt: [cut]) }
      #expect(error?.kind == .corrupt, "cut at \(cut)")
    }
  }

  /// The checksum of one row starts before, at or after a block boundary of libpng.
  @Test(arguments: [8188, 8190, 8191, 8192, 8193])
  func `a wrong checksum has one outcome at every boundary of libpng`(length: Int) throws {
    // zlib adds 2 bytes and 5 for every 1000 before the rows, and a checksum of 4 bytes after them.
    let rowsLength = length - 2 - 9 * 5
    var file = PNGFile((0, 8, nil), rowsLength - 1, 1, filters: [0], seed: 1)
    let stream = file.stream
    try #require(stream.count == length + 4)
    file.rows = []
    let bytes = png(like: file, [stream.dropLast() + [stream[stream.count - 1] ^ 1]])
    let checksum = bytes.count - 12 - 8
    expectOneOutcome(
      of: bytes, isError: length <= 8188 || length > 8192,
      cuts: [[], [checksum], [checksum + 1, checksum + 2], [200, 8200], [4000]])
  }

  /// The bits of one byte have excess pixels and an invalid distance.
  @Test func `damage in the same byte as excess pixels has one outcome`() throws {
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAQAAADljNBBAAAAEUlEQVR42mOK15pnQU1B1gMAA8EBruUsxcIAAAAASUVORK5CYII="
    let bytes = Array(try #require(Data(base64Encoded: text)))
    expectOneOutcome(
      of: bytes, isError: false, cuts: bytes.indices.map { [$0] } + [Array(bytes.indices)])
  }

  /// The data ends within its last code, which expands to more pixels than the image has.
  ///
  /// libpng does not notice this if the code arrives together with the last pixel, but notices it if the code
  /// arrives later.
  @Test func `data that ends in excess pixels has one outcome`() throws {
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABBAMAAADtO9m6AAAAMFBMVEV4dYPk0Op9m6bkKN/23LCT/SDzuZKJDqMFqK+RiPnSyazKUp+qtVhv"
      + "BQrEya5hbXH8duYSAAAABklEQVR42mNiAAPvC+eNAAAAAElFTkSuQmCC"
    let bytes = Array(try #require(Data(base64Encoded: text)))
    expectOneOutcome(of: bytes, isError: true, cuts: bytes.indices.map { [$0] } + [Array(bytes.indices)])
  }

  /// The image is one row of 1012 gray pixels. The last byte of the data is a match of three more pixels, without an
  /// end.
  @Test func `data that ends in excess pixels has one outcome at every cut`() {
    var bits: [Bool] = [true, true, false]
    // The fixed codes of RFC 1951, section 3.2.6: the literal 0, the length 3, the distance 1.
    for _ in 0..<1_013 { bits += [false, false, true, true, false, false, false, false] }
    bits += [false, false, false, false, false, false, true] + Array(repeating: false, count: 5)
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 1 << UInt8(index % 8) }
    var file = PNGFile((0, 8, nil), 1_012, 1, filters: [0], seed: 1)
    file.rows = []
    let png = png(like: file, [[0x78, 0x01] + bytes])
    let data = png.count - 12 - 4 - bytes.count - 2
    let isError = (try? decoder.decode(png, options: ImageOptions())) == nil
    var cuts: [[Int]] = [[data + 100], [data + 500], [data + 1_015], [data + 1_016]]
    cuts += [[data + 3, data + 900], Array(data..<png.count)]
    expectOneOutcome(of: png, isError: isError, cuts: cuts)
  }

  /// Whether libjpeg notices an invalid code depends on the amount of data that is available.
  @Test func `an invalid code has one outcome regardless of the pieces`() throws {
    let file = try noise(64).encoded(as: .jpeg(quality: 90))
    let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA }) + 14
    var outcomes = Set<Bool>()
    for position in stride(from: scan + 20, to: file.count - 20, by: 97) {
      var damaged = file
      damaged.replaceSubrange(position..<position + 8, with: [0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0])
      for options in [ImageOptions(), partial] {
        let atOnce = try? decoder.decode(damaged, options: options)
        if options == ImageOptions() { outcomes.insert(atOnce == nil) }
        for cuts in [
          [position], [position + 4], [scan, position + 100], randomCuts(damaged, count: 30, seed: 1),
        ] {
          let cuts = cuts.map { min($0, damaged.count) }
          let inPieces = try? fed(damaged, cutAt: cuts, options: options)
          #expect(inPieces == atOnce, "at \(position), cut at \(cuts)")
        }
      }
    }
    #expect(outcomes.count == 2)
  }

  /// If the data ends within a block, libjpeg continues with zeros.
  ///
  /// With much data available it notices the end only after the block. It then decodes the block again
  /// without removing the coefficients from the zeros.
  @Test(arguments: [
    (marker: [0xFF, 0xD9], byte: 0, count: 1000),
    (marker: [], byte: 0xFF, count: 1000),
    (marker: [], byte: 0, count: 0),
  ])
  func `an incomplete block gives one image regardless of the pieces`(
    marker: [UInt8], byte: UInt8, count: Int
  ) throws {
    let end = marker + Array(repeating: byte, count: count)
    let file = try Corpus.bytes(of: "jpeg-odd/444-apart.jpg")
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    // Uses the second scan, because only complete rows of blocks of the first scan are shown.
    for position in scans[1] + 10..<scans[2] where file[position - 1] != 0xFF {
      let damaged = Array(file[..<position]) + end
      let atOnce = try decoder.decode(damaged, options: partial)
      #expect(atOnce.isPartial)
      for cut in [position, min(position + 2, damaged.count)] {
        let inPieces = try fed(damaged, cutAt: [cut], options: partial)
        #expect(inPieces == atOnce, "at \(position), cut at \(cut)")
      }
    }
  }

  /// libjpeg decodes FF FF 00 as the byte FF or as a marker, depending on the amount of data that is
  /// available.
  @Test func `a superfluous FF gives one image regardless of the pieces`() throws {
    let file = try noise(128).encoded(as: .jpeg(quality: 90))
    let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA }) + 14
    var images = Set<[UInt8]>()
    for position in (scan..<file.count - 1).filter({ file[$0] == 0xFF && file[$0 + 1] == 0 }) {
      var longer = file
      longer.insert(0xFF, at: position)
      let atOnce = try decoder.decode(longer, options: ImageOptions())
      images.insert(atOnce.pixels)
      for cuts in [[position + 1], [position + 2], [position + 400], [scan, position + 600]] {
        let cuts = cuts.map { min($0, longer.count) }
        #expect(try fed(longer, cutAt: cuts) == atOnce, "at \(position), cut at \(cuts)")
      }
    }
    #expect(images.count > 1)
  }

  private func expectOneOutcome(of bytes: [UInt8], isError: Bool, cuts: [[Int]]) {
    let atOnce = try? decoder.decode(bytes, options: ImageOptions())
    #expect((atOnce == nil) == isError)
    for cuts in cuts {
      #expect((try? fed(bytes, cutAt: cuts)) == atOnce, "cut at \(cuts)")
    }
  }

  /// Returns a square image of noise.
  private func noise(_ width: Int) throws -> Image {
    var numbers = SplitMix64(seed: 1)
    let pixels = (0..<width * width * 4).map { index in
      index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &numbers)
    }
    return try Image(width: width, height: width, pixels: pixels)
  }

  /// Returns a PNG with the header of `file` and the data `parts`.
  private func png(like file: PNGFile, _ parts: [[UInt8]]) -> [UInt8] {
    PNGFile.signature + file.header + parts.flatMap { pngChunk("IDAT", $0) } + PNGFile.end
  }
}
