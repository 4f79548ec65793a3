internal import Cellophane
internal import Testing

@Suite struct IncrementalDecodingTests {
  private let decoder = ImageDecoder()

  private static let options = [
    ImageOptions(), ImageOptions(targetSize: PixelSize(width: 9, height: 7), mode: .fill),
    ImageOptions(appliesOrientation: false),
  ]

  @Test(arguments: PictureFixture.all, options)
  func piecesGiveTheSameAsOnePiece(_ fixture: PictureFixture, options: ImageOptions) throws {
    let bytes = fixture.bytes
    let whole = try decoder.decode(bytes, options: options)
    #expect(try fed(bytes, cutAt: Array(1..<bytes.count), options: options) == whole, "byte by byte")
    for seed in 1...6 as ClosedRange<UInt64> {
      let cuts = randomCuts(bytes, count: Int(seed) * 2, seed: seed)
      #expect(
        try fed(bytes, cutAt: cuts, options: options) { _, _, _ in } == whole, "seed \(seed)")
    }
  }

  @Test(arguments: PictureFixture.all.filter { !$0.name.contains("progressive") && !$0.name.contains("Adam7") })
  func previewsShowRowsAsTheyWillBe(_ fixture: PictureFixture) throws {
    let options = ImageOptions(appliesOrientation: false)
    let whole = try decoder.decode(fixture.bytes, options: options)
    var most = 0
    var last: Image?
    _ = try fed(fixture.bytes, cutAt: Array(1..<fixture.bytes.count), options: options) { fed, hasMore, image in
      guard let image else {
        #expect(!hasMore && last == nil)
        return
      }
      guard hasMore else {
        #expect(image == last)
        return
      }
      #expect(image.isPartial && image.width == whole.width && image.height == whole.height)
      let rows = rowsShown(image)
      #expect(rows >= most, "\(fed) bytes")
      let shown = rows * image.width * 4
      #expect(Array(image.pixels[..<shown]) == Array(whole.pixels[..<shown]), "\(fed) bytes")
      (most, last) = (rows, image)
    }
    #expect(last?.pixels == whole.pixels)
  }
}
