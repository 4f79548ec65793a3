internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct ImageDecoderTests {
  let decoder = ImageDecoder()

  @Test(arguments: PictureFixture.turned, ResizeMode.allCases)
  func `target sizes apply after orientation`(_ fixture: PictureFixture, mode: ResizeMode) throws {
    let target = PixelSize(width: 2, height: 1)
    let image = try decoder.decode(fixture.bytes, options: ImageOptions(targetSize: target, mode: mode))
    let upright = try decoder.decode(fixture.bytes, options: ImageOptions())
    let reference = AreaReference.reduced(upright, to: target, mode: mode)
    #expect(image.width == reference.width && image.height == reference.height)
    // libjpeg reduces a JPEG first, with a method that is similar to averaging but not equal.
    let tolerance = fixture.bytes.starts(with: [0xFF, 0xD8]) ? 8 : 1
    #expect(AreaReference.largestDifference(image, reference) <= tolerance)
  }

  @Test func `a cancelled task gets no image`() async throws {
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
  func `working bytes include the result`(_ fixture: PictureFixture) throws {
    let needed = try decoder.workingBytes(for: fixture.bytes, options: ImageOptions())
    #expect(needed >= fixture.size.width * fixture.size.height * 4)
  }

  @Test func `a thumbnail needs little memory`() throws {
    let image = try Image(
      width: 1_000, height: 1_000, pixels: Array(repeating: 200, count: 4_000_000))
    let small = ImageOptions(targetSize: PixelSize(width: 100, height: 100))
    // A PNG of this size is inflated at once: 4 MB, and the same for compressed data.
    for (encoding, limit) in [(Image.Encoding.png, 10_000_000), (.jpeg(), 1_500_000)] {
      let bytes = try image.encoded(as: encoding)
      #expect(try decoder.workingBytes(for: bytes, options: small) < limit)
      #expect(try decoder.workingBytes(for: bytes, options: ImageOptions()) >= 4_000_000)
    }
  }
}
