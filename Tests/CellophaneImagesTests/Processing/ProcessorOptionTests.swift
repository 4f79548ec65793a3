@testable internal import CellophaneImages
internal import TestSupport
internal import Testing

/// Enlarges each side a thousandfold.
private struct Enlargement: ImageProcessor {
  func size(for size: PixelSize) -> PixelSize {
    PixelSize(width: size.width * 1_000, height: size.height * 1_000)
  }

  func process(_ image: consuming Image) throws(LoadError) -> Image { throw .cancelled }
}

@Suite struct ProcessorOptionTests {
  private static let chain: [ImageProcessing] = [
    .crop(toAspectRatioOf: PixelSize(width: 1, height: 1)), .blur(radius: 2), .grayscale, .circle,
  ]

  private static func options(_ processors: [ImageProcessing], side: Int? = nil) -> ImageOptions {
    var options = ImageOptions(targetSize: side.map { PixelSize(width: $0, height: $0) })
    options.processors = processors
    return options
  }

  private static let fixtures =
    PictureFixture.jpeg.filter { ["4:2:0", "progressive"].contains($0.name) }
    + PictureFixture.png.filter { ["rgb 8", "rgba 8 Adam7"].contains($0.name) } + PictureFixture.turned

  @Test(arguments: fixtures)
  func `a decoding runs the processors, in one piece, in pieces and step by step`(_ file: PictureFixture)
    throws
  {
    let decoder = ImageDecoder()
    for side in [nil, 12] {
      let options = Self.options(Self.chain, side: side)
      let expected = try decoder.decode(file.bytes, options: Self.options([], side: side))
        .processed(by: Self.chain)
      #expect(try decoder.decode(file.bytes, options: options) == expected)
      let incremental = try #require(decoder.incremental(options: options))
      for start in stride(from: 0, to: file.bytes.count, by: 100) {
        _ = try incremental.feed(Array(file.bytes[start..<min(start + 100, file.bytes.count)]))
        if let preview = try incremental.preview() {
          #expect(preview.width == expected.width && preview.height == expected.height)
        }
      }
      #expect(try incremental.finish() == expected)
      var (base, steps) = (options, [Derivation<ImageOptions, Image>]())
      while let step = decoder.derivation(options: base) {
        steps.append(step)
        base = step.base
      }
      #expect(base == Self.options([], side: side) && steps.count == Self.chain.count)
      let image = try decoder.decode(file.bytes, options: base)
      #expect(try steps.reversed().reduce(image) { try $1.derive($0) } == expected)
    }
  }

  @Test func `the processors are a part of the key`() throws {
    let keys = try [
      [], Self.chain, Self.chain.reversed(), [.blur(radius: 2)], [.blur(radius: 3)],
      [ImageProcessing(Enlargement())],
    ].map { try ImageRequest("http://h/a", processors: $0).key }
    #expect(Set(keys).count == keys.count)
    let again = try ImageRequest("http://h/a", processors: [.blur(radius: 2)])
    #expect(again.key == keys[3] && again.key.hashValue == keys[3].hashValue)
    #expect(again.options.processors == [.blur(radius: 2)])
    #expect("\(again.options)" == "full size processors: 1")
    #expect(Self.options([]) == ImageOptions() && Self.options([]).hashValue == ImageOptions().hashValue)
  }

  @Test func `the sizes of the processors count before anything is decoded`() throws {
    let file = try #require(Self.fixtures.first)
    let decoder = ImageDecoder()
    let options = Self.options([ImageProcessing(Enlargement())])
    let error = #expect(throws: LoadError.self) {
      try decoder.workingBytes(for: file.bytes, options: options)
    }
    #expect(error?.kind == .imageTooLarge && error?.message.contains("would be enlarged") == true)
    let large = Self.options([.resize(to: PixelSize(width: 4_000, height: 4_000), enlarges: true)])
    let size = large.processors[0].size(for: file.size)
    #expect(try decoder.workingBytes(for: file.bytes, options: large) >= size.width * size.height * 4)
  }

  @Test func `an image that is only checked is not processed`() throws {
    let file = try #require(Self.fixtures.first)
    var options = Self.options(Self.chain)
    options.discardsPixels = true
    let decoder = ImageDecoder()
    #expect(try decoder.decode(file.bytes, options: options).pixels.isEmpty)
    #expect(decoder.derivation(options: options) == nil)
  }
}
