#if AVIF
  internal import Cellophane
  internal import CellophaneAVIF
  internal import TestSupport
  internal import Testing

  @Suite struct AVIFEncoderTests {
    private let decoder = ImageDecoder(codecs: [.png, .jpeg, .avif])
    private let corpus = Corpus(beside: #filePath)

    @Test(arguments: [(1, 1), (13, 11), (64, 48)])
    func `a file has the size, and the alpha channel is exact`(width: Int, height: Int) throws {
      for alphas in [[255], Array(0...255)] as [[UInt8]] {
        let image = try noise(width, height, seed: 3, alphas: alphas)
        let file = try image.encoded(as: .avif())
        let header = try decoder.header(of: file)
        #expect(header.format == .avif && header.size == PixelSize(width: width, height: height))
        let again = try decoder.decode(file, options: ImageOptions())
        func alpha(_ image: Image) -> [UInt8] {
          stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
        }
        #expect(alpha(again) == alpha(image))
      }
    }

    @Test func `the quality decides the size and the difference, and is clamped`() throws {
      let image = try decoder.decode(corpus.bytes(of: "lossless.avif"), options: ImageOptions())
      func difference(_ quality: Int) throws -> Int {
        let again = try decoder.decode(image.encoded(as: .avif(quality: quality)), options: ImageOptions())
        return zip(again.pixels, image.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      }
      #expect(try difference(95) < difference(20))
      let (small, large) = (
        try image.encoded(as: .avif(quality: 20)), try image.encoded(as: .avif(quality: 95))
      )
      #expect(small.count < large.count)
      #expect(try image.encoded(as: .avif(quality: -3)) == image.encoded(as: .avif(quality: 0)))
      #expect(Image.Encoding.avif(quality: 60) == .avif() && Image.Encoding.avif() != .png)
    }

    @Test func `the orientation and the color profile are in the file`() throws {
      for turn in 2...8 {
        let source = try corpus.bytes(of: "turned-\(turn).avif")
        let stored = try decoder.decode(source, options: ImageOptions(appliesOrientation: false))
        #expect(stored.orientation != .up)
        let header = try decoder.header(of: stored.encoded(as: .avif()))
        #expect(header.displaySize == (try decoder.header(of: source).displaySize))
        let again = try decoder.decode(
          stored.encoded(as: .avif()), options: ImageOptions(appliesOrientation: false))
        #expect(again.orientation == stored.orientation)
      }
      // The third chunk: ICCP with its size.
      let tests = #filePath.replacing("CellophaneAVIFTests", with: "CellophaneWebPTests")
      let other = try Corpus(beside: tests).bytes(of: "profile.webp")
      let count = Int(other[34]) | Int(other[35]) << 8
      let profile = Array(other[38..<38 + count])
      let image = try noise(9, 9, seed: 5)
      let tagged = try image.encoded(as: .avif(), ImageMetadata(profile: profile))
      #expect(try decoder.colorProfile(of: tagged).icc == profile)
    }

    @Test func `an image too large for AVIF is refused`() throws {
      let strip = try Image(width: 65_537, height: 1, pixels: Array(repeating: 9, count: 262_148))
      let error = #expect(throws: LoadError.self) { try strip.encoded(as: .avif()) }
      #expect(error?.kind == .unsupported && error?.message.contains("65537x1; make it smaller") == true)
    }
  }
#endif
