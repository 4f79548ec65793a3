internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct PartialImageTests {
  /// The orientation is not applied, because a truncated file may have lost its declaration.
  private let partial = ImageOptions(appliesOrientation: false, allowsPartial: true)
  private let strict = ImageOptions(appliesOrientation: false)

  private func outcome(_ bytes: [UInt8], _ options: ImageOptions) -> Result<Image, LoadError> {
    Result { () throws(LoadError) in try ImageDecoder().decode(bytes, options: options) }
  }

  private static let fixtures =
    PictureFixture.jpeg.filter {
      ["gray", "4:2:0", "restart markers", "CMYK", "progressive", "progressive gray"].contains($0.name)
    } + PictureFixture.turned.prefix(4)
    + PictureFixture.png.filter { $0.name.hasPrefix("rgba 8") }

  @Test(arguments: fixtures)
  func `a file cut at any position gives an error or a partial image`(_ fixture: PictureFixture) throws {
    let complete = try ImageDecoder().decode(fixture.bytes, options: partial)
    #expect(try !complete.isPartial && complete == ImageDecoder().decode(fixture.bytes, options: strict))
    var images = 0
    // Every length of small files, every seventh length of the others.
    for length in stride(from: 0, to: fixture.bytes.count, by: fixture.bytes.count > 700 ? 7 : 1) {
      let cut = Array(fixture.bytes[..<length])
      let once = outcome(cut, partial)
      #expect(once == outcome(cut, partial), "\(length) bytes")
      let inPieces = Result { () throws in
        try fed(cut, cutAt: randomCuts(cut, count: 3, seed: UInt64(length)), options: partial)
      }
      switch once {
      case .failure(let error):
        #expect(error.kind == .truncated, "\(length) bytes")
        #expect(throws: error) { try inPieces.get() }
      case .success(let image):
        images += 1
        #expect(image.isPartial || image.warnings == [.missingEnd], "\(length) bytes")
        #expect(image.width == complete.width && image.height == complete.height)
        #expect(try inPieces.get() == image, "\(length) bytes")
        guard !fixture.name.contains("progressive"), !fixture.name.contains("Adam7") else { continue }
        let isSubset = zip(image.pixels, complete.pixels).allSatisfy { $0 == 0 || $0 == $1 }
        #expect(isSubset, "\(length) bytes")
      }
    }
    #expect(images > 0)
  }

  @Test(arguments: fixtures)
  func `damage within the pixels gives a partial image`(_ fixture: PictureFixture) {
    for seed in 1...25 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      var bytes = fixture.bytes
      let position = Int.random(in: bytes.count / 2..<bytes.count, using: &numbers)
      bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      let once = outcome(bytes, partial)
      #expect(once == outcome(bytes, partial), "seed \(seed)")
      let complete = outcome(bytes, strict)
      if case .success(let image) = once { #expect((try? complete.get()) == (image.isPartial ? nil : image)) }
    }
  }

  /// Returns an 8-bit gray PNG of 2x3 pixels with uncompressed rows. `change` modifies the zlib stream.
  private func stored(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
    let file = PNGFile(color: 0, 2, 3, rows: [0, 10, 20, 0, 30, 40, 0, 50, 60])
    var stream = file.stream
    change(&stream)
    return PNGFile.signature + file.header + stream.flatMap { pngChunk("IDAT", [$0]) } + pngChunk("IDAT", [])
      + PNGFile.end
  }

  @Test func `missing data is an error, excess data is not`() throws {
    let complete = try ImageDecoder().decode(stored { _ in }, options: strict)
    #expect(complete.height == 3 && complete[1, 2].red == 60)
    let longer = stored { $0 += [1, 2, 3] }
    #expect(outcome(longer, strict) == .success(complete))
    // In a separate chunk, the row reader of libpng ignores it, too.
    let wrongSum = stored { $0[$0.count - 1] ^= 1 }
    #expect(outcome(wrongSum, strict) == .success(complete))
    let endless = stored { $0.removeLast(3) }
    let wrongBlock = stored { $0[5] ^= 1 }
    let short = stored { $0.removeLast(5) }
    for (bytes, rows) in [(endless, 3), (wrongBlock, 0), (short, 2)] {
      guard case .failure(let error) = outcome(bytes, strict) else {
        Issue.record("decoded")
        continue
      }
      #expect(error.kind == .corrupt, "\(error)")
      if rows > 0 {
        let image = try outcome(bytes, partial).get()
        #expect(image.isPartial && visibleRows(image) == rows)
      } else {
        #expect(outcome(bytes, partial) == .failure(error))
      }
    }
  }
}
