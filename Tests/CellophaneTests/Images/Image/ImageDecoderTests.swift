internal import Cellophane
internal import Testing

@Suite struct ImageDecoderTests {
  let decoder = ImageDecoder()

  @Test(arguments: PictureFixture.turned, ResizeMode.allCases)
  func targetSizesAreMeantAsShown(_ fixture: PictureFixture, mode: ResizeMode) throws {
    let target = PixelSize(width: 2, height: 1)
    let image = try decoder.decode(fixture.bytes, options: ImageOptions(targetSize: target, mode: mode))
    let upright = try decoder.decode(fixture.bytes, options: ImageOptions())
    let reference = AreaReference.reduced(upright, to: target, mode: mode)
    #expect(image.width == reference.width && image.height == reference.height)
    // A JPEG is reduced in its own way first, which is close to averaging but not the same.
    let tolerance = fixture.bytes.starts(with: [0xFF, 0xD8]) ? 8 : 1
    #expect(AreaReference.largestDifference(image, reference) <= tolerance)
  }

  @Test func aCancelledTaskGetsNoPicture() async throws {
    let files =
      [PictureFixture.png[0], PictureFixture.jpeg[0]]
      + PictureFixture.jpeg.filter { $0.name == "progressive" }
    try #require(files.count == 3)
    let decoder = decoder
    for fixture in files {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return Result { () throws(LoadError) in try decoder.decode(fixture.bytes, options: ImageOptions()) }
      }
      task.cancel()
      #expect(await task.value == .failure(.cancelled))
    }
  }

  @Test(arguments: PictureFixture.all)
  func workingBytesCoverTheResult(_ fixture: PictureFixture) throws {
    let whole = try decoder.workingBytes(for: fixture.bytes, options: ImageOptions())
    #expect(whole >= fixture.size.width * fixture.size.height * 4)
  }

  @Test func aThumbnailNeedsLittleMemory() throws {
    let picture = try Image(
      width: 1_000, height: 1_000, pixels: Array(repeating: 200, count: 4_000_000))
    let small = ImageOptions(targetSize: PixelSize(width: 100, height: 100))
    // A PNG of this size is inflated at once: 4 MB, and as much for compressed data.
    for (encoding, most) in [(Image.Encoding.png, 10_000_000), (.jpeg(), 1_500_000)] {
      let bytes = try picture.encoded(as: encoding)
      #expect(try decoder.workingBytes(for: bytes, options: small) < most)
      #expect(try decoder.workingBytes(for: bytes, options: ImageOptions()) >= 4_000_000)
    }
  }
}
