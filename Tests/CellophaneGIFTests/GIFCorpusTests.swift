#if GIF
  internal import Cellophane
  internal import CellophaneGIF
  internal import TestSupport
  internal import Testing

  /// Decodes every file of the corpus, which `Scripts/make-gif-corpus.py` writes, and compares the result with the table.
  @Suite struct GIFCorpusTests {
    private static let corpus = Corpus(beside: #filePath)
    private let decoder = ImageDecoder(codecs: [.png, .jpeg, .gif])

    @Test func `the corpus is complete`() { #expect(Self.corpus.files.count > 35) }

    @Test func `every file decodes as expected, at once and in pieces`() throws {
      let judge = CorpusJudge(Self.corpus, decoder)
      for file in Self.corpus.files {
        if let flaw = try judge.flaw(of: file) { Issue.record("\(file): \(flaw)") }
        if let flaw = try judge.flawInPieces(of: file) { Issue.record("\(file): \(flaw)") }
      }
    }

    @Test func `a truncated file gives its first rows, unless it is interlaced`() throws {
      let bytes = try Self.corpus.bytes(of: "plain-64x48.gif")
      let whole = try decoder.decode(bytes, options: ImageOptions())
      let cut = Array(bytes[..<(bytes.count / 2)])
      let partial = try decoder.decode(cut, options: ImageOptions(allowsPartial: true))
      #expect(partial.isPartial && partial.pixels.prefix(64 * 4 * 8) == whole.pixels.prefix(64 * 4 * 8))
      let interlaced = try Self.corpus.bytes(of: "interlaced-64x48.gif")
      let error = #expect(throws: LoadError.self) {
        try decoder.decode(
          Array(interlaced[..<(bytes.count / 2)]), options: ImageOptions(allowsPartial: true))
      }
      #expect(error?.kind == .truncated)
    }

    @Test func `a damaged file is an image or an error, also in pieces`() throws {
      var numbers = SplitMix64(seed: 1)
      for file in Self.corpus.files where file.error == nil {
        let bytes = try Self.corpus.bytes(of: file.file)
        for variant in 0..<100 {
          let damaged = DamagedFile.damaged(bytes, variant: variant, numbers.next())
          let once = try? decoder.decode(damaged, options: ImageOptions())
          let decoding = try #require(decoder.incremental(options: ImageOptions()))
          for start in stride(from: 0, to: damaged.count, by: 50) {
            _ = try? decoding.feed(Array(damaged[start..<min(start + 50, damaged.count)]))
          }
          #expect((try? decoding.finish()) == once, "\(file), variant \(variant)")
        }
      }
    }

    @Test func `only an animation is animated`() throws {
      for file in Self.corpus.files where file.error == nil {
        let header = try decoder.header(of: Self.corpus.bytes(of: file.file))
        #expect(header.isAnimated == (file.file == "animation.gif"), "\(file)")
      }
    }

    @Test func `comments and XMP are removed, and the repetition stays`() throws {
      func stripped(_ name: String) throws -> [UInt8] {
        let bytes = try Self.corpus.bytes(of: name)
        return try MetadataStripper.stripped(bytes, header: decoder.header(of: bytes), decoder: decoder)
      }
      #expect(try stripped("animation.gif") == Self.corpus.bytes(of: "animation.gif"))
      #expect(try stripped("comment.gif") == Self.corpus.bytes(of: "plain-13x11.gif"))
    }
  }
#endif
