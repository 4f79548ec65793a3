#if AVIF
  internal import Cellophane
  internal import CellophaneAVIF
  internal import TestSupport
  internal import Testing

  /// Decodes every file of the corpus, which `Scripts/make-avif-corpus.py` writes, and compares the result with the table.
  @Suite struct AVIFCorpusTests {
    private static let corpus = Corpus(beside: #filePath)
    private let decoder = ImageDecoder(codecs: [.png, .jpeg, .avif])

    @Test func `the corpus is complete`() { #expect(Self.corpus.files.count > 25) }

    @Test func `every file decodes as avifdec decodes it, at once and in pieces`() throws {
      let judge = CorpusJudge(Self.corpus, decoder)
      for file in Self.corpus.files {
        if let flaw = try judge.flaw(of: file) { Issue.record("\(file): \(flaw)") }
        if let flaw = try judge.flawInPieces(of: file) { Issue.record("\(file): \(flaw)") }
      }
    }

    @Test func `a damaged file is an image or an error, also in pieces`() throws {
      var numbers = SplitMix64(seed: 1)
      for file in Self.corpus.files where file.error == nil {
        let bytes = try Self.corpus.bytes(of: file.file)
        for variant in 0..<60 {
          let damaged = DamagedFile.damaged(bytes, variant: variant, numbers.next())
          let once = try? decoder.decode(damaged, options: ImageOptions())
          let decoding = try #require(decoder.incremental(options: ImageOptions()))
          for start in stride(from: 0, to: damaged.count, by: 100) {
            _ = try? decoding.feed(Array(damaged[start..<min(start + 100, damaged.count)]))
          }
          #expect((try? decoding.finish()) == once, "\(file), variant \(variant)")
        }
      }
    }

    @Test func `only a sequence is animated, and the colors are those of the container`() throws {
      for file in Self.corpus.files where file.error == nil {
        let bytes = try Self.corpus.bytes(of: file.file)
        #expect(try decoder.header(of: bytes).isAnimated == (file.file == "sequence.avif"), "\(file)")
        #expect(try decoder.colorProfile(of: bytes).isSRGB, "\(file)")
      }
    }
  }
#endif
