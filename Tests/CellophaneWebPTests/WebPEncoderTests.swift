#if WebP
  internal import Cellophane
  internal import CellophaneWebP
  internal import TestSupport
  internal import Testing

  @Suite struct WebPEncoderTests {
    private let decoder = ImageDecoder(codecs: [.png, .jpeg, .webP])

    @Test(arguments: [(1, 1), (13, 11), (64, 48)], [false, true])
    func `lossless files have the same pixels, also transparent ones`(size: (Int, Int), hasAlpha: Bool) throws
    {
      let image = try noise(size.0, size.1, seed: 7, alphas: hasAlpha ? Array(0...255) : [255])
      let file = try image.encoded(as: .losslessWebP)
      let header = try decoder.header(of: file)
      #expect(header.format == .webP && header.size == PixelSize(width: size.0, height: size.1))
      #expect(try decoder.decode(file, options: ImageOptions()).pixels == image.pixels)
    }

    @Test func `the quality decides the size and the difference, and is clamped`() throws {
      let image = try decoder.decode(
        Corpus(beside: #filePath).bytes(of: "lossless-64x48.webp"), options: ImageOptions())
      func difference(_ quality: Int) throws -> Int {
        let again = try decoder.decode(image.encoded(as: .webP(quality: quality)), options: ImageOptions())
        return zip(again.pixels, image.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      }
      #expect(try difference(95) < difference(20))
      let (small, large) = (
        try image.encoded(as: .webP(quality: 20)), try image.encoded(as: .webP(quality: 95))
      )
      #expect(small.count < large.count)
      #expect(try image.encoded(as: .webP(quality: -3)) == image.encoded(as: .webP(quality: 0)))
      #expect(try image.encoded(as: .webP(quality: .max)) == image.encoded(as: .webP(quality: 100)))
      #expect(Image.Encoding.webP(quality: 80) == .webP() && Image.Encoding.webP() != .losslessWebP)
    }

    @Test func `the alpha channel is exact`() throws {
      let image = try noise(40, 30, seed: 7, alphas: Array(0...255))
      let again = try decoder.decode(image.encoded(as: .webP()), options: ImageOptions())
      func alpha(_ image: Image) -> [UInt8] {
        stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
      }
      #expect(alpha(again) == alpha(image))
    }

    @Test func `the color profile and the orientation are in the file`() throws {
      let corpus = Corpus(beside: #filePath)
      let decoded = try decoder.decode(
        corpus.bytes(of: "turned-6.webp"), options: ImageOptions(appliesOrientation: false))
      for encoding in [.webP(), .losslessWebP] as [Image.Encoding] {
        #expect(
          try decoder.header(of: decoded.encoded(as: encoding)).displaySize
            == PixelSize(width: 11, height: 13))
        let kept = try ImageMetadata(
          of: corpus.bytes(of: "profile.webp"), header: decoder.header(of: corpus.bytes(of: "profile.webp")),
          image: decoded, decoder: decoder)
        #expect(kept.profile != nil)
        let file = try decoded.encoded(as: encoding, kept)
        #expect(try decoder.colorProfile(of: file).icc == kept.profile)
        let plain = try decoder.decode(decoded.encoded(as: encoding), options: ImageOptions())
        #expect(try decoder.decode(file, options: ImageOptions()).pixels == plain.pixels)
      }
    }

    @Test func `an image too large for WebP is refused`() throws {
      let strip = try Image(width: 16_384, height: 1, pixels: Array(repeating: 9, count: 65_536))
      let error = #expect(throws: LoadError.self) { try strip.encoded(as: .webP()) }
      #expect(error?.kind == .unsupported && error?.message.contains("16384x1; make it smaller") == true)
    }

    @Test func `a cancelled task encodes nothing`() async throws {
      let image = try noise(300, 300, seed: 7)
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try image.encoded(as: .webP())
      }
      await #expect(throws: LoadError.cancelled) { try await task.value }
    }
  }
#endif
