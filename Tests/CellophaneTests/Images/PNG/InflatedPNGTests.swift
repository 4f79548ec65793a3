import Testing

@testable import Cellophane
internal import TestSupport

/// What the path over libdeflate makes of a file has to be what libpng makes of it.
@Suite struct InflatedPNGTests {
  @Test(arguments: PNGFile.kinds.indices)
  func everyKindAgrees(_ kind: Int) {
    for width in 1...33 {
      let file = PNGFile(
        PNGFile.kinds[kind], width, 11, filters: [1, 2, 3, 4, 0, 4, 3, 2, 1, 4, 4], seed: width)
      expectAgreement(file.bytes, isTaken: true, "\(PNGFile.kinds[kind]) \(width)x11, seed \(width)")
    }
    for filter in 0...4 as ClosedRange<UInt8> {
      let file = PNGFile(PNGFile.kinds[kind], 300, 3, filters: [filter], seed: Int(filter))
      expectAgreement(file.bytes, isTaken: true, "\(PNGFile.kinds[kind]) filter \(filter)")
    }
  }

  @Test func oneColumnAndOneRow() {
    for kind in PNGFile.kinds.indices {
      for height in [1, 2, 40] {
        let file = PNGFile(PNGFile.kinds[kind], 1, height, filters: [4, 3, 1, 2], seed: height)
        expectAgreement(file.bytes, isTaken: true, "\(PNGFile.kinds[kind]) 1x\(height)")
      }
    }
  }

  @Test func whatOthersWroteAgrees() throws {
    for fixture in PictureFixture.png {
      expectAgreement(fixture.bytes, isTaken: !fixture.name.contains("Adam7"), fixture.name)
    }
    for alphas in [[255], [0, 128, 255]] as [[UInt8]] {
      let bytes = try noise(90, 70, seed: 5, alphas: alphas).encoded(as: .png)
      expectAgreement(bytes, isTaken: true, "\(alphas)")
    }
  }

  @Test func theFirstByteOfAllIsEqualWhateverItsNeighbours() {
    // Every way in which Paeth decides between three equal or neighbouring values.
    var file = PNGFile((0, 8, nil), 64, 64, filters: [4], seed: 1)
    var numbers = SplitMix64(seed: 1)
    for index in file.rows.indices where index % 65 != 0 {
      file.rows[index] = [0, 0, 1, 255, 2, 254].randomElement(using: &numbers)!
    }
    expectAgreement(file.bytes, isTaken: true, "small steps")
  }

  @Test func theDataMayBeCutAnywhere() {
    var file = PNGFile((2, 8, nil), 5, 4, filters: [0, 4], seed: 3)
    for parts in [[1], [2, 0, 3], [7, 0, 0], [0, Int.max]] {
      file.parts = parts
      expectAgreement(file.bytes, isTaken: true, "\(parts)")
    }
  }

  @Test func readingStripsIsReadingAll() throws {
    let file = PNGFile((3, 4, 9), 33, 40, filters: [4, 3, 2, 1, 0], seed: 7)
    let header = try ImageHeader(of: file.bytes)
    let whole = inflatedPixels(file.bytes)
    guard var rows = InflatedPNG(file.bytes, header: header, forWhole: false) else {
      Issue.record("not taken")
      return
    }
    var pixels = [SIMD4<UInt8>](repeating: .zero, count: 33 * 40)
    var first = 0
    for count in [1, 2, 3, 34] {
      var span = pixels.mutableSpan
      rows.read(count, to: &span, at: first * 33 * 4)
      first += count
    }
    #expect(pixels.flatMap { [$0.x, $0.y, $0.z, $0.w] } == whole)
  }

  @Test func aThumbnailOfALargePictureNeedsLittleMemory() throws {
    let photograph = PNGFile((2, 8, nil), 4_000, 3_000, filters: [], seed: 0)
    let options = ImageOptions(targetSize: PixelSize(width: 256, height: 256))
    let needed = try ImageDecoder().workingBytes(
      for: PNGFile.signature + photograph.header, options: options)
    #expect(needed < 40_000_000)
  }

  @Test func whatIsTooLargeIsLibpngs() {
    func layout(_ width: Int, _ height: Int, _ model: ImageHeader.ColorModel, _ depth: Int) -> Bool {
      let header = ImageHeader(
        format: .png, size: PixelSize(width: width, height: height), orientation: .up, bitDepth: depth,
        colorModel: model, isProgressive: false)
      return InflatedPNG.workingBytes(header, forWhole: true) != nil
    }
    #expect(layout(4_000, 2_795, .rgb, 8))
    #expect(!layout(4_000, 2_796, .rgb, 8))
    #expect(layout(1, 16 << 20, .gray, 8))
    #expect(!layout(1, 16 << 20 + 1, .gray, 8))
    #expect(!layout(Int(Int32.max), Int(Int32.max), .rgba, 16))
    #expect(!layout(0, 1, .rgb, 8))
  }
}

/// What the fast path makes of `bytes`; nil when it leaves them to libpng.
func inflatedPixels(_ bytes: [UInt8]) -> [UInt8]? {
  guard let header = try? ImageHeader(of: bytes) else { return nil }
  return try? InflatedPNG(bytes, header: header, forWhole: true)?.pixels(ImageDecoder().watch())
}

/// Expects of `bytes` that the decoder says what libpng alone says, pixels or error, and that the fast path had
/// a part in it or not.
func expectAgreement(
  _ bytes: [UInt8], isTaken: Bool? = nil, _ what: @autoclosure () -> String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if let isTaken, (inflatedPixels(bytes) != nil) != isTaken {
    Issue.record(
      "\(what()): \(isTaken ? "left to libpng" : "not left to libpng")", sourceLocation: sourceLocation)
  }
  for options in [ImageOptions(), ImageOptions(targetSize: PixelSize(width: 3, height: 2))] {
    let outcomes = [true, false].map { inflatesAtOnce in
      Result { () throws(LoadError) in
        try ImageDecoder().decode(bytes, options: options, inflatesAtOnce: inflatesAtOnce)
      }
    }
    if outcomes[0] != outcomes[1] {
      Issue.record("\(what()): not what libpng makes of it", sourceLocation: sourceLocation)
    }
  }
}
