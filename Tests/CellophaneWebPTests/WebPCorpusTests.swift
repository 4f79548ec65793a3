#if WebP
  internal import Cellophane
  internal import CellophaneWebP
  internal import TestSupport
  internal import Testing

  /// Decodes every file of the corpus, which `Scripts/make-webp-corpus.py` writes, and compares the result with the table.
  @Suite struct WebPCorpusTests {
    private static let corpus = Corpus(beside: #filePath)
    private let decoder = ImageDecoder(codecs: [.png, .jpeg, .webP])

    @Test func `the corpus is complete`() {
      #expect(Self.corpus.files.count > 50)
      #expect(Self.corpus.damaged.count == 5)
    }

    @Test func `every file decodes as dwebp and Pillow decode it`() throws {
      let judge = CorpusJudge(Self.corpus, decoder)
      for file in Self.corpus.files {
        if let flaw = try judge.flaw(of: file) { Issue.record("\(file): \(flaw)") }
      }
    }

    @Test func `damaged files decode as dwebp decodes them`() throws {
      let judge = CorpusJudge(Self.corpus, decoder)
      for file in Self.corpus.damaged {
        for flaw in try judge.flaws(of: file) { Issue.record("\(flaw)") }
      }
    }

    @Test func `decoding in pieces gives the same result`() throws {
      let judge = CorpusJudge(Self.corpus, decoder)
      for file in Self.corpus.files {
        if let flaw = try judge.flawInPieces(of: file) { Issue.record("\(file): \(flaw)") }
      }
    }

    /// libwebp averages luma and chroma, the resampler red, green and blue of the complete image. In lossy files of noise,
    /// single pixels differ by up to 80 levels, because the average of clamped colors is another one.
    @Test(arguments: [
      ("lossy-64x48.webp", 6.0), ("worst.webp", 8), ("lossless-64x48.webp", 0.5), ("palette.webp", 0.5),
      ("lossless-alpha-64x48.webp", 0.5),
    ])
    func `a scaled image is the average of the complete one`(file: String, meanDifference: Double) throws {
      let bytes = try Self.corpus.bytes(of: file)
      let whole = try decoder.decode(bytes, options: ImageOptions()).encoded(as: .png)
      for side in [32, 20, 7] {
        let options = ImageOptions(targetSize: PixelSize(width: side, height: side))
        let (scaled, average) = (
          try decoder.decode(bytes, options: options), try decoder.decode(whole, options: options)
        )
        #expect(scaled.width == average.width && scaled.height == average.height)
        let difference = zip(scaled.pixels, average.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        let mean = Double(difference) / Double(scaled.pixels.count)
        #expect(mean <= meanDifference, "\(side): \(mean)")
      }
    }

    @Test func `colors of transparent pixels do not show at the edges of a scaled image`() throws {
      let bytes = try Self.corpus.bytes(of: "alpha-hidden.webp")
      let image = try decoder.decode(
        bytes, options: ImageOptions(targetSize: PixelSize(width: 20, height: 20)))
      let edges = stride(from: 0, to: image.pixels.count, by: 4).filter {
        (20..<235).contains(image.pixels[$0 + 3])
      }
      #expect(edges.count > 20)
      #expect(edges.allSatisfy { image.pixels[$0] < 40 && image.pixels[$0 + 2] > 200 })
    }

    @Test func `a truncated file gives its first rows`() throws {
      let bytes = try Self.corpus.bytes(of: "lossy-64x48.webp")
      let whole = try decoder.decode(bytes, options: ImageOptions())
      let cut = Array(bytes[..<(bytes.count * 3 / 4)])
      let error = #expect(throws: LoadError.self) { try decoder.decode(cut, options: ImageOptions()) }
      #expect(error?.kind == .truncated)
      let partial = try decoder.decode(cut, options: ImageOptions(allowsPartial: true))
      #expect(partial.isPartial && partial.pixels.prefix(64 * 4 * 8) == whole.pixels.prefix(64 * 4 * 8))
    }

    @Test func `the media type is accepted, and a decoder without the codec names the format`() throws {
      #expect(decoder.acceptedTypes == "image/jpeg, image/png, image/webp, */*;q=0.1")
      let bytes = try Self.corpus.bytes(of: "lossy-64x48.webp")
      let error = #expect(throws: LoadError.self) { try ImageDecoder().header(of: bytes) }
      #expect(
        error?.message
          == "the data is a WebP image; only PNG and JPEG can be decoded; the codec of the package trait WebP decodes it"
      )
    }

    @Test func `metadata is removed, and the orientation stays`() throws {
      for turn in 2...8 {
        let bytes = try Self.corpus.bytes(of: "turned-\(turn).webp")
        let header = try decoder.header(of: bytes)
        let stripped = try MetadataStripper.stripped(bytes, header: header, decoder: decoder)
        #expect(try decoder.header(of: stripped) == header)
        #expect(
          try decoder.decode(stripped, options: ImageOptions())
            == decoder.decode(bytes, options: ImageOptions()))
      }
    }
  }
#endif
