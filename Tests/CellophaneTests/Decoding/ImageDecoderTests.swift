internal import Cellophane
internal import Testing

@Suite struct ImageDecoderTests {
  let decoder = ImageDecoder()

  @Test(arguments: PictureFixture.png + PictureFixture.oddPNG + PictureFixture.jpeg + PictureFixture.turned)
  func pixelsAreExact(_ fixture: PictureFixture) throws {
    let image = try decoder.decode(fixture.bytes, options: ImageOptions())
    #expect(PixelSize(width: image.width, height: image.height) == fixture.size)
    #expect(image.pixels.count == image.width * image.height * 4)
    #expect(fnv1a(image.pixels) == fixture.hash)
    #expect(decoder.cost(of: image) == image.pixels.count)
  }

  @Test(arguments: PictureFixture.turned)
  func orientationIsLeftAloneOnRequest(_ fixture: PictureFixture) throws {
    let header = try decoder.header(of: fixture.bytes)
    let number = try #require(fixture.name.last?.wholeNumberValue)
    #expect(Int(header.orientation.rawValue) == number)
    #expect(header.displaySize == fixture.size)

    let image = try decoder.decode(fixture.bytes, options: ImageOptions(appliesOrientation: false))
    #expect(PixelSize(width: image.width, height: image.height) == header.size)
    #expect((fnv1a(image.pixels) == fixture.hash) == (number == 1))
  }

  @Test(arguments: PictureFixture.turned, ResizeMode.allCases)
  func targetSizesAreMeantAsShown(_ fixture: PictureFixture, mode: ResizeMode) throws {
    let target = PixelSize(width: 2, height: 1)
    let image = try decoder.decode(fixture.bytes, options: ImageOptions(targetSize: target, mode: mode))
    let upright = try decoder.decode(fixture.bytes, options: ImageOptions())
    let reference = AreaReference.reduced(upright, to: target, mode: mode)
    #expect(image.width == reference.width && image.height == reference.height)
    // A JPEG is reduced in its own way first, which is close to averaging but not the same.
    let tolerance = fixture.name.contains("JPEG") ? 8 : 1
    #expect(AreaReference.largestDifference(image, reference) <= tolerance)
  }

  @Test(arguments: PictureFixture.png)
  func headerSaysWhatTheFileIs(_ fixture: PictureFixture) throws {
    let header = try decoder.header(of: fixture.bytes)
    let words = fixture.name.split(separator: " ")
    #expect(header.format == .png && header.size == fixture.size && header.orientation == .up)
    #expect(header.colorModel.rawValue == words[0] && String(header.bitDepth) == words[1])
    #expect(header.isProgressive == words.contains("Adam7"))
  }

  @Test(arguments: PictureFixture.jpeg)
  func headerSaysWhatTheJPEGIs(_ fixture: PictureFixture) throws {
    let header = try decoder.header(of: fixture.bytes)
    #expect(header.format == .jpeg && header.size == fixture.size && header.bitDepth == 8)
    #expect(header.isProgressive == fixture.name.contains("progressive"))
    let model: ImageHeader.ColorModel =
      fixture.name.contains("gray") ? .gray : fixture.name.contains("CMYK") ? .cmyk : .rgb
    #expect(header.colorModel == model)
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
    for encoding in [Image.Encoding.png, .jpeg()] {
      let bytes = try picture.encoded(as: encoding)
      #expect(try decoder.workingBytes(for: bytes, options: small) < 1_500_000)
      #expect(try decoder.workingBytes(for: bytes, options: ImageOptions()) >= 4_000_000)
    }
  }
}
