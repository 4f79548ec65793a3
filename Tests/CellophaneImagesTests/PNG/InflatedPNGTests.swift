import Testing

@testable import CellophaneImages
internal import TestSupport

/// The fast path with libdeflate must have the same results as libpng.
@Suite struct InflatedPNGTests {
  @Test(arguments: PNGFile.kinds.indices)
  func `every color type and depth decodes as in libpng`(_ kind: Int) {
    for width in 1...33 {
      let file = PNGFile(
        PNGFile.kinds[kind], width, 11, filters: [1, 2, 3, 4, 0, 4, 3, 2, 1, 4, 4], seed: width)
      expectAgreement(file.bytes, usesFastPath: true, "\(PNGFile.kinds[kind]) \(width)x11, seed \(width)")
    }
    for filter in 0...4 as ClosedRange<UInt8> {
      let file = PNGFile(PNGFile.kinds[kind], 300, 3, filters: [filter], seed: Int(filter))
      expectAgreement(file.bytes, usesFastPath: true, "\(PNGFile.kinds[kind]) filter \(filter)")
    }
  }

  @Test func `images of one column or one row decode as in libpng`() {
    for kind in PNGFile.kinds.indices {
      for height in [1, 2, 40] {
        let file = PNGFile(PNGFile.kinds[kind], 1, height, filters: [4, 3, 1, 2], seed: height)
        expectAgreement(file.bytes, usesFastPath: true, "\(PNGFile.kinds[kind]) 1x\(height)")
      }
    }
  }

  @Test func `files of other encoders decode as in libpng`() throws {
    for fixture in PictureFixture.png {
      expectAgreement(fixture.bytes, usesFastPath: !fixture.name.contains("Adam7"), fixture.name)
    }
    for alphas in [[255], [0, 128, 255]] as [[UInt8]] {
      let bytes = try noise(90, 70, seed: 5, alphas: alphas).encoded(as: .png)
      expectAgreement(bytes, usesFastPath: true, "\(alphas)")
    }
  }

  @Test func `Paeth decides between equal and adjacent neighbors as in libpng`() {
    // Covers every decision of Paeth between three equal or adjacent values.
    var file = PNGFile((0, 8, nil), 64, 64, filters: [4], seed: 1)
    var numbers = SplitMix64(seed: 1)
    for index in file.rows.indices where index % 65 != 0 {
      file.rows[index] = [0, 0, 1, 255, 2, 254].randomElement(using: &numbers)!
    }
    expectAgreement(file.bytes, usesFastPath: true, "small steps")
  }

  @Test func `the data may be split anywhere`() {
    var file = PNGFile((2, 8, nil), 5, 4, filters: [0, 4], seed: 3)
    for parts in [[1], [2, 0, 3], [7, 0, 0], [0, Int.max]] {
      file.parts = parts
      expectAgreement(file.bytes, usesFastPath: true, "\(parts)")
    }
  }

  @Test func `reading strips gives all pixels`() throws {
    let file = PNGFile((3, 4, 9), 33, 40, filters: [4, 3, 2, 1, 0], seed: 7)
    let header = try ImageDecoder().header(of: file.bytes)
    let expected = inflatedPixels(file.bytes)
    guard var rows = InflatedPNG(file.bytes, header: header, expandsInPlace: false) else {
      Issue.record("the fast path rejects the file")
      return
    }
    var pixels = [SIMD4<UInt8>](repeating: .zero, count: 33 * 40)
    var first = 0
    for count in [1, 2, 3, 34] {
      var span = pixels.mutableSpan
      rows.read(count, to: &span, at: first * 33 * 4)
      first += count
    }
    #expect(pixels.flatMap { [$0.x, $0.y, $0.z, $0.w] } == expected)
  }

  @Test func `a thumbnail of a large image needs little memory`() throws {
    let photograph = PNGFile((2, 8, nil), 4_000, 3_000, filters: [], seed: 0)
    let options = ImageOptions(targetSize: PixelSize(width: 256, height: 256))
    let needed = try ImageDecoder().workingBytes(
      for: PNGFile.signature + photograph.header, options: options)
    #expect(needed < 40_000_000)
  }

  @Test func `the fast path rejects large images`() {
    func usesFastPath(_ width: Int, _ height: Int, _ model: ImageHeader.ColorModel, _ depth: Int) -> Bool {
      let header = ImageHeader(
        format: .png, size: PixelSize(width: width, height: height), orientation: .up, bitDepth: depth,
        colorModel: model, isProgressive: false)
      return InflatedPNG.workingBytes(header, expandsInPlace: true) != nil
    }
    #expect(usesFastPath(4_000, 2_795, .rgb, 8))
    #expect(!usesFastPath(4_000, 2_796, .rgb, 8))
    #expect(usesFastPath(1, 16 << 20, .gray, 8))
    #expect(!usesFastPath(1, 16 << 20 + 1, .gray, 8))
    #expect(!usesFastPath(Int(Int32.max), Int(Int32.max), .rgba, 16))
    #expect(!usesFastPath(0, 1, .rgb, 8))
  }
}

/// Returns the pixels of the fast path, or nil if it rejects `bytes`.
func inflatedPixels(_ bytes: [UInt8]) -> [UInt8]? {
  guard let header = try? ImageDecoder().header(of: bytes) else { return nil }
  return try? InflatedPNG(bytes, header: header, expandsInPlace: true)?.pixels(ImageDecoder().watch())
}

/// Expects that decoding `bytes` has the same pixels or error as libpng, with or without the fast path.
func expectAgreement(
  _ bytes: [UInt8], usesFastPath: Bool? = nil, _ name: @autoclosure () -> String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if let usesFastPath, (inflatedPixels(bytes) != nil) != usesFastPath {
    Issue.record(
      "\(name()): the fast path \(usesFastPath ? "rejects" : "accepts") the file",
      sourceLocation: sourceLocation)
  }
  for options in [ImageOptions(), ImageOptions(targetSize: PixelSize(width: 3, height: 2))] {
    let outcomes = [true, false].map { usesFastPath in
      Result { () throws(LoadError) in
        try ImageDecoder().decode(bytes, options: options, usesFastPath: usesFastPath)
      }
    }
    if outcomes[0] != outcomes[1] {
      Issue.record("\(name()): differs from libpng", sourceLocation: sourceLocation)
    }
  }
}
