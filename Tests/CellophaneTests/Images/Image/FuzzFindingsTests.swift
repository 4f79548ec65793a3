internal import Cellophane
internal import Foundation
internal import Testing

/// What fuzzing found, and what has held since.
@Suite struct FuzzFindingsTests {
  private let decoder = ImageDecoder()
  private let partially = ImageOptions(allowsPartial: true)

  /// libjpeg takes over the size and the number of components before it refuses a second frame header; a picture
  /// of what came before was then made with the new ones, out of memory that nobody had written.
  @Test(arguments: [1, 3, 4] as [UInt8])
  func aSecondFrameHeaderChangesNothingOfWhatCameBefore(components: UInt8) throws {
    let file = try #require(PictureFixture.jpeg.first { $0.name == "progressive" }).bytes
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let place = try #require(scans.dropFirst(3).first)
    let parts = (0..<components).flatMap { [$0 + 1, 0x11, 0] as [UInt8] }
    let frame: [UInt8] = [0xFF, 0xC2, 0, 8 + 3 * components, 8, 1, 0, 1, 0, components] + parts
    let before = Array(file[..<place])
    let expected = try decoder.decode(before, options: partially)
    let damaged = try decoder.decode(before + frame + file[place...], options: partially)
    #expect(damaged == expected && damaged.isPartial)

    // The same while the second header is still arriving.
    for length in frame.indices {
      let decoding = try #require(decoder.incremental(options: partially))
      _ = try decoding.feed(before + frame[..<length])
      #expect(try decoding.preview() == expected, "\(length) bytes of it")
    }
  }

  /// Rows of an interlaced PNG that came in the same piece as the damage behind them were not counted.
  @Test func rowsBeforeDamageAreShownHoweverTheyCame() throws {
    // Adam7, with an invalid filter in the first pass.
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAkAAAARBAAAAAGYiAStAAAAg0lEQVR42gF3AIj/AosBfQM8AJAAYASwAGKQApMgBNEAFQTUAd8AbwBd"
      + "esADmEsbA6vZHgAbbNAB1R0ApvwEvDYDBKcAKoAEt7QAYgEBjDEEvVcA0W9OoNAE/3kWyHAEkifH16kD4KNKEewAxZRMFCBaAcCHa+QaAF"
      + "wNglQwBMSfpDGcDe8qMDAFYGQAAAAAVenS6fwXxtE="
    let file = Array(try #require(Data(base64Encoded: text)))
    let atOnce = try decoder.decode(file, options: partially)
    #expect(atOnce.isPartial)
    #expect(try fed(file, cutAt: Array(1..<file.count), options: partially) == atOnce)
  }

  /// libpng drops the row with which a wrong checksum comes, but not one that came before it.
  @Test func theLastRowBeforeDamageDoesNotDependOnThePieces() throws {
    var file = PNGFile((6, 8, nil), 5, 3, filters: [0], seed: 1)
    let stream = file.stream
    file.rows = []
    let bytes = png(like: file, [stream.dropLast() + [stream[stream.count - 1] ^ 1]])
    let atOnce = try decoder.decode(bytes, options: partially)
    #expect(atOnce.isPartial)
    for cut in bytes.indices {
      #expect(try fed(bytes, cutAt: [cut], options: partially) == atOnce, "cut at \(cut)")
    }
  }

  /// What stands in a PNG's data behind its pixels is wrong as far as libpng's reader of rows says so, in however
  /// many pieces it comes: a wrong checksum is, but not behind more data, and not beyond the part of the data that
  /// libpng reads together with the last pixels, which is 8192 bytes or the rest of the chunk.
  @Test(arguments: [
    (extra: 0, bytesBeforeSplit: nil, isWrong: true),
    (extra: 0, bytesBeforeSplit: -4, isWrong: false),
    (extra: 0, bytesBeforeSplit: -2, isWrong: false),
    (extra: 1, bytesBeforeSplit: nil, isWrong: false),
    (extra: 10, bytesBeforeSplit: nil, isWrong: false),
    (extra: 10, bytesBeforeSplit: -4, isWrong: false),
  ])
  func aWrongChecksumIsOneErrorHoweverItCame(extra: Int, bytesBeforeSplit: Int?, isWrong: Bool) throws {
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

  /// A wrong checksum that is passed over while the file arrives, and then a chunk that nobody knows.
  @Test func damageComesBeforeWhatCannotBeDecodedBehindIt() throws {
    let file = PNGFile((6, 8, nil), 5, 3, filters: [0], seed: 1)
    let stream = file.stream.dropLast() + [file.stream[file.stream.count - 1] ^ 1]
    var bytes = png(like: file, [Array(stream)])
    bytes.insert(contentsOf: pngChunk("XYZa", []), at: bytes.count - PNGFile.end.count)
    let atOnce = try decoder.decode(bytes, options: partially)
    for cut in bytes.indices {
      #expect(try fed(bytes, cutAt: [cut], options: partially) == atOnce, "cut at \(cut)")
      let error = #expect(throws: LoadError.self) { try fed(bytes, cutAt: [cut]) }
      #expect(error?.kind == .corrupt, "cut at \(cut)")
    }
  }

  /// The same where libpng's own reading splits the data: before, within and behind the checksum of one row.
  @Test(arguments: [8188, 8190, 8191, 8192, 8193])
  func aWrongChecksumIsOneErrorWhereverItsPortionEnds(length: Int) throws {
    // Bytes of zlib before the rows: 2, and 5 for each 1000; behind them a checksum of 4.
    let rowsLength = length - 2 - 9 * 5
    var file = PNGFile((0, 8, nil), rowsLength - 1, 1, filters: [0], seed: 1)
    let stream = file.stream
    try #require(stream.count == length + 4)
    file.rows = []
    let bytes = png(like: file, [stream.dropLast() + [stream[stream.count - 1] ^ 1]])
    let place = bytes.count - 12 - 8
    expectOneOutcome(
      of: bytes, isError: length <= 8188 || length > 8192,
      cuts: [[], [place], [place + 1, place + 2], [200, 8200], [4000]])
  }

  /// More pixels than the picture has, and a distance beyond them, in the bits of one byte.
  @Test func damageInOneByteWithMorePixelsIsOneOutcome() throws {
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAQAAADljNBBAAAAEUlEQVR42mOK15pnQU1B1gMAA8EBruUsxcIAAAAASUVORK5CYII="
    let bytes = Array(try #require(Data(base64Encoded: text)))
    expectOneOutcome(
      of: bytes, isError: false, cuts: bytes.indices.map { [$0] } + [Array(bytes.indices)])
  }

  /// Data that ends within its last code, which stands for more pixels than the picture has: libpng misses the end when
  /// it comes together with the last pixel, and not when it comes behind it.
  @Test func dataThatEndsWithMorePixelsIsOneOutcome() throws {
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABBAMAAADtO9m6AAAAMFBMVEV4dYPk0Op9m6bkKN/23LCT/SDzuZKJDqMFqK+RiPnSyazKUp+qtVhv"
      + "BQrEya5hbXH8duYSAAAABklEQVR42mNiAAPvC+eNAAAAAElFTkSuQmCC"
    let bytes = Array(try #require(Data(base64Encoded: text)))
    expectOneOutcome(of: bytes, isError: true, cuts: bytes.indices.map { [$0] } + [Array(bytes.indices)])
  }

  /// The same where the last pixel and what stands behind it come in pieces of libpng's own: one row of 1012 grey pixels,
  /// and a match of three more in the last byte, without an end.
  @Test func dataThatEndsWithMorePixelsIsOneOutcomeWhereverItIsCut() {
    var bits: [Bool] = [true, true, false]
    // The fixed codes of RFC 1951, section 3.2.6: the literal 0, the length 3, the distance 1.
    for _ in 0..<1_013 { bits += [false, false, true, true, false, false, false, false] }
    bits += [false, false, false, false, false, false, true] + Array(repeating: false, count: 5)
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (place, bit) in bits.enumerated() where bit { bytes[place / 8] |= 1 << UInt8(place % 8) }
    var file = PNGFile((0, 8, nil), 1_012, 1, filters: [0], seed: 1)
    file.rows = []
    let png = png(like: file, [[0x78, 0x01] + bytes])
    let data = png.count - 12 - 4 - bytes.count - 2
    let isError = (try? decoder.decode(png, options: ImageOptions())) == nil
    var cuts: [[Int]] = [[data + 100], [data + 500], [data + 1_015], [data + 1_016]]
    cuts += [[data + 3, data + 900], Array(data..<png.count)]
    expectOneOutcome(of: png, isError: isError, cuts: cuts)
  }

  /// libjpeg notices a bad code by how much it has at hand.
  @Test func aBadCodeIsOneErrorHoweverItCame() throws {
    let file = try noise(64).encoded(as: .jpeg(quality: 90))
    let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA }) + 14
    var outcomes = Set<Bool>()
    for place in stride(from: scan + 20, to: file.count - 20, by: 97) {
      var damaged = file
      damaged.replaceSubrange(place..<place + 8, with: [0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0])
      for options in [ImageOptions(), partially] {
        let atOnce = try? decoder.decode(damaged, options: options)
        if options == ImageOptions() { outcomes.insert(atOnce == nil) }
        for cuts in [[place], [place + 4], [scan, place + 100], randomCuts(damaged, count: 30, seed: 1)] {
          let cuts = cuts.map { min($0, damaged.count) }
          let inPieces = try? fed(damaged, cutAt: cuts, options: options)
          #expect(inPieces == atOnce, "at \(place), cut at \(cuts)")
        }
      }
    }
    #expect(outcomes.count == 2)
  }

  /// Where data ends within a block, libjpeg goes on with zeros; with much at hand it notices only when the block is
  /// done, and begins it anew without removing what it made of the zeros.
  @Test(arguments: [
    (marker: [0xFF, 0xD9], byte: 0, count: 1000),
    (marker: [], byte: 0xFF, count: 1000),
    (marker: [], byte: 0, count: 0),
  ])
  func aBlockThatIsNotWholeIsOnePictureHoweverItCame(marker: [UInt8], byte: UInt8, count: Int) throws {
    let end = marker + Array(repeating: byte, count: count)
    let file = try Corpus.bytes(of: "jpeg-odd/444-apart.jpg")
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    // The second scan: of the first one only whole rows of blocks are shown.
    for place in scans[1] + 10..<scans[2] where file[place - 1] != 0xFF {
      let damaged = Array(file[..<place]) + end
      let atOnce = try decoder.decode(damaged, options: partially)
      #expect(atOnce.isPartial)
      for cut in [place, min(place + 2, damaged.count)] {
        let inPieces = try fed(damaged, cutAt: [cut], options: partially)
        #expect(inPieces == atOnce, "at \(place), cut at \(cut)")
      }
    }
  }

  /// libjpeg takes FF FF 00 in the data for an FF, or for a marker first, by how much it has at hand.
  @Test func anFFTooManyIsOnePictureHoweverItCame() throws {
    let file = try noise(128).encoded(as: .jpeg(quality: 90))
    let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA }) + 14
    var pictures = Set<[UInt8]>()
    for place in (scan..<file.count - 1).filter({ file[$0] == 0xFF && file[$0 + 1] == 0 }) {
      var longer = file
      longer.insert(0xFF, at: place)
      let atOnce = try decoder.decode(longer, options: ImageOptions())
      pictures.insert(atOnce.pixels)
      for cuts in [[place + 1], [place + 2], [place + 400], [scan, place + 600]] {
        let cuts = cuts.map { min($0, longer.count) }
        #expect(try fed(longer, cutAt: cuts) == atOnce, "at \(place), cut at \(cuts)")
      }
    }
    #expect(pictures.count > 1)
  }

  private func expectOneOutcome(of bytes: [UInt8], isError: Bool, cuts: [[Int]]) {
    let atOnce = try? decoder.decode(bytes, options: ImageOptions())
    #expect((atOnce == nil) == isError)
    for cuts in cuts {
      #expect((try? fed(bytes, cutAt: cuts)) == atOnce, "cut at \(cuts)")
    }
  }

  /// A square of noise.
  private func noise(_ width: Int) throws -> Image {
    var numbers = SplitMix64(seed: 1)
    let pixels = (0..<width * width * 4).map { at in
      at % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &numbers)
    }
    return try Image(width: width, height: width, pixels: pixels)
  }

  /// A PNG with the header of `file` whose data is `parts`.
  private func png(like file: PNGFile, _ parts: [[UInt8]]) -> [UInt8] {
    PNGFile.signature + file.header + parts.flatMap { pngChunk("IDAT", $0) } + PNGFile.end
  }
}
