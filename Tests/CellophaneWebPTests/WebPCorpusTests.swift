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
