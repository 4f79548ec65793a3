internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct DamagedImageTests {
  private func outcome(
    _ bytes: [UInt8], _ options: ImageOptions = ImageOptions(), decoder: ImageDecoder = ImageDecoder()
  ) -> Result<Image, LoadError> {
    Result { () throws(LoadError) in try decoder.decode(bytes, options: options) }
  }

  private func kind(_ outcome: Result<Image, LoadError>) -> LoadError.Kind? {
    if case .failure(let error) = outcome { error.kind } else { nil }
  }

  @Test(arguments: PictureFixture.all)
  func `a file cut at any position is truncated or lacks only its end`(_ fixture: PictureFixture) throws {
    // The cut may remove the orientation.
    let stored = ImageOptions(appliesOrientation: false)
    let pixels = try outcome(fixture.bytes, stored).get().pixels
    let step = max(1, fixture.bytes.count / 60)
    let lengths = Array(stride(from: 0, to: fixture.bytes.count, by: step)) + [fixture.bytes.count - 1]
    for length in lengths {
      switch outcome(Array(fixture.bytes.prefix(length)), stored) {
      case .failure(let error): #expect(error.kind == .truncated, "\(length) bytes")
      case .success(let image):
        #expect(image.warnings == [.missingEnd] && !image.isPartial, "\(length) bytes")
        #expect(image.pixels == pixels, "\(length) bytes")
      }
    }
  }

  @Test(arguments: PictureFixture.all)
  func `damage never crashes and always has the same result`(_ fixture: PictureFixture) {
    let small = ImageOptions(targetSize: PixelSize(width: 4, height: 4), mode: .fill)
    for seed in 1...25 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      var bytes = fixture.bytes
      for _ in 0...seed % 4 {
        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^=
          1 << UInt8.random(in: 0..<8, using: &numbers)
      }
      let once = outcome(bytes)
      #expect(once == outcome(bytes), "seed \(seed)")
      #expect(outcome(bytes, small) == outcome(bytes, small), "seed \(seed)")
      if case .success(let image) = once { #expect(image.pixels.count == image.width * image.height * 4) }
    }
  }

  private func header(_ width: Int, _ height: Int, interlace: UInt8 = 0) -> [UInt8] {
    var file = PNGFile(color: 2, width, height)
    file.interlace = interlace
    return PNGFile.signature + file.header
  }

  @Test func `a small file with a huge size fails at its header`() throws {
    let bomb = header(50_000, 50_000) + pngChunk("IDAT", [0x78, 0x9C]) + pngChunk("IEND", [])
    let result = outcome(bomb, ImageOptions(targetSize: PixelSize(width: 10, height: 10)))
    #expect(kind(result) == .imageTooLarge)
    guard case .failure(let error) = result else { return }
    #expect(error.message.contains("50000x50000") && error.message.contains("100000000"))
    #expect(kind(outcome(header(0x7FFF_FFFF, 0x7FFF_FFFF))) == .imageTooLarge)
  }

  @Test func `a file that is too short for its pixels fails at its header`() {
    let small = ImageOptions(targetSize: PixelSize(width: 10, height: 10))
    let sampling: [UInt8] = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xC3, 0x50, 0xC3, 0x50, 3] + sampling
      + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0] + Array(repeating: 0, count: 65_000)
    let png = header(9_000, 9_000) + pngChunk("IDAT", Array(repeating: 0, count: 65_000))
    for bytes in [jpeg, png] {
      guard case .failure(let error) = outcome(bytes, small) else {
        Issue.record("decoded")
        continue
      }
      #expect(error.kind == .truncated && error.message.contains("cannot hold"), "\(error)")
    }
    #expect(kind(outcome(jpeg)) == .imageTooLarge)
  }

  @Test func `the limit of the decoder applies`() throws {
    let bytes = try noise(20, 10, seed: 2).encoded(as: .png)
    #expect(kind(outcome(bytes, decoder: ImageDecoder(maximumPixels: 199))) == .imageTooLarge)
    let error = #expect(throws: LoadError.self) {
      try outcome(bytes, decoder: ImageDecoder(maximumPixels: 199)).get()
    }
    #expect(error?.detail == .pixelLimit)
    #expect(kind(outcome(bytes, decoder: ImageDecoder(maximumPixels: 200))) == nil)
    for interlace in 0...1 as ClosedRange<UInt8> {
      let bomb = header(0x7FFF_FFFF, 0x7FFF_FFFF, interlace: interlace)
      #expect(kind(outcome(bomb, decoder: ImageDecoder(maximumPixels: .max))) == .imageTooLarge)
      #expect(kind(outcome(bomb, decoder: ImageDecoder(maximumPixels: .min))) == .imageTooLarge)
    }
  }

  @Test func `the limit applies to the scale at which a JPEG is decoded`() throws {
    let bytes = try noise(64, 64, seed: 2).encoded(as: .jpeg())
    let small = ImageOptions(targetSize: PixelSize(width: 8, height: 8))
    #expect(kind(outcome(bytes, decoder: ImageDecoder(maximumPixels: 2_048))) == .imageTooLarge)
    #expect(kind(outcome(bytes, small, decoder: ImageDecoder(maximumPixels: 2_048))) == nil)
    #expect(kind(outcome(bytes, small, decoder: ImageDecoder(maximumPixels: 63))) == .imageTooLarge)
  }
}
