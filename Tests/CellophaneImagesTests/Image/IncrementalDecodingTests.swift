internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct IncrementalDecodingTests {
  private let decoder = ImageDecoder()

  private static let options = [
    ImageOptions(), ImageOptions(targetSize: PixelSize(width: 9, height: 7), mode: .fill),
    ImageOptions(appliesOrientation: false),
  ]

  @Test(arguments: PictureFixture.all, options)
  func `decoding in pieces gives the same image`(_ fixture: PictureFixture, options: ImageOptions) throws {
    let bytes = fixture.bytes
    let expected = try decoder.decode(bytes, options: options)
    #expect(try fed(bytes, cutAt: Array(1..<bytes.count), options: options) == expected, "byte by byte")
    for seed in 1...3 as ClosedRange<UInt64> {
      let cuts = randomCuts(bytes, count: Int(seed) * 2, seed: seed)
      #expect(
        try fed(bytes, cutAt: cuts, options: options) { _, _, _ in } == expected, "seed \(seed)")
    }
  }

  private static let inRows = PictureFixture.all.filter {
    !$0.name.contains("progressive") && !$0.name.contains("Adam7")
  }

  @Test(arguments: inRows)
  func `previews show the final rows`(_ fixture: PictureFixture) throws {
    let options = ImageOptions(appliesOrientation: false)
    let expected = try decoder.decode(fixture.bytes, options: options)
    var lastRows = 0
    var last: Image?
    let cuts = Array(1..<fixture.bytes.count)
    _ = try fed(fixture.bytes, cutAt: cuts, options: options) { fed, hasMore, image in
      guard let image else {
        #expect(!hasMore && last == nil)
        return
      }
      guard hasMore else {
        #expect(image == last)
        return
      }
      #expect(image.isPartial && image.width == expected.width && image.height == expected.height)
      let rows = visibleRows(image)
      #expect(rows >= lastRows, "\(fed) bytes")
      let end = rows * image.width * 4
      #expect(Array(image.pixels[..<end]) == Array(expected.pixels[..<end]), "\(fed) bytes")
      (lastRows, last) = (rows, image)
    }
    #expect(last?.pixels == expected.pixels)
  }

  /// The FNV-1a hashes of the RGBA bytes after each scan in the buffered-image mode of libjpeg.
  ///
  /// They come from a C program with the loop in libjpeg.txt, section "Buffered-image mode".
  private static let scans: [(String, [UInt64])] = [
    (
      "progressive",
      [
        0xC7D7_9A04_C5A3_7B38, 0x6973_C87A_4213_7370, 0xB302_B1FA_9A82_6495, 0x0C32_54C3_237D_506D,
        0x119F_41CC_F9FF_70ED, 0xBD6A_D608_6874_6C75, 0x149D_F6AD_4DDF_6690, 0x0650_9460_4DA9_7D63,
        0xCFFA_33E4_1186_64CA, 0xC435_01D0_D762_2826,
      ]
    ),
    (
      "progressive gray",
      [
        0x23B6_2FB6_D2C1_483B, 0xA8D7_7863_C5AE_233E, 0x45ED_07E8_6532_585E, 0x8AD3_0755_F99D_D9C5,
        0xABE1_B4EC_F99A_B16C, 0xB7F3_E8BF_8787_3242,
      ]
    ),
  ]

  @Test(arguments: scans)
  func `each scan gives a preview`(_ name: String, hashes: [UInt64]) throws {
    let bytes = try #require(PictureFixture.jpeg.first { $0.name == name }).bytes
    var previews: [UInt64] = []
    let image = try fed(bytes, cutAt: endsOfScans(bytes)) { fed, hasMore, image in
      guard let image, hasMore else { return }
      previews.append(fnv1a(image.pixels))
    }
    #expect(previews == hashes)
    #expect(fnv1a(image.pixels) == hashes.last)
  }

  /// Returns the end of the marker after each scan.
  private func endsOfScans(_ bytes: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var isInScan = false
    for index in bytes.indices.dropLast() where bytes[index] == 0xFF {
      let code = bytes[index + 1]
      if isInScan, code != 0, !(0xD0...0xD7).contains(code) {
        ends.append(index + 2)
        isInScan = false
      }
      if code == 0xDA { isInScan = true }
    }
    return ends
  }

  @Test func `an interlaced image is previewed in passes`() throws {
    for fixture in PictureFixture.png where fixture.name.contains("Adam7") {
      var previews: [Image] = []
      let cuts = Array(1..<fixture.bytes.count)
      let image = try fed(fixture.bytes, cutAt: cuts) { _, hasMore, image in
        if let image, hasMore { previews.append(image) }
      }
      #expect(previews.last?.pixels == image.pixels, "\(fixture)")
      // The image has 13x11 pixels, so all seven passes have pixels. Several passes may end in the same byte.
      #expect(previews.count >= 2, "\(fixture)")
    }
  }

  @Test func `only time spent decoding counts`() throws {
    let clock = SteppingClock(step: .milliseconds(1))
    let timeline = Timeline(clock: clock) { 0 }
    let fixture = PictureFixture.jpeg[0]
    let decoder = ImageDecoder(timeLimit: .seconds(1), timeline: timeline)
    let decoding = try #require(decoder.incremental(options: ImageOptions()))
    for byte in fixture.bytes.prefix(200) {
      _ = try decoding.feed([byte])
      clock.advance(by: .seconds(100))
    }
    _ = try decoding.feed(Array(fixture.bytes.dropFirst(200)))
    #expect(try decoding.finish() == decoder.decode(fixture.bytes, options: ImageOptions()))
  }

  @Test(arguments: [PictureFixture.png[0], PictureFixture.jpeg[0]])
  func `decoding stops at the time limit`(_ fixture: PictureFixture) throws {
    let timeline = Timeline(clock: SteppingClock(step: .seconds(1))) { 0 }
    let decoder = ImageDecoder(timeLimit: .milliseconds(2_500), timeline: timeline)
    let thrown = #expect(throws: LoadError.self) {
      try decoder.decode(fixture.bytes, options: ImageOptions(allowsPartial: true))
    }
    let error = try #require(thrown)
    #expect(error.kind == .timeout && !error.isRetryable)
    let decoding = try #require(decoder.incremental(options: ImageOptions()))
    #expect(throws: error) { try decoding.feed(fixture.bytes) }
    #expect(throws: error) { try decoding.finish() }
  }

  @Test func `the time of decoding again counts, too`() throws {
    let upright = try noise(60, 800, seed: 1).encoded(as: .png)
    // If the orientation follows the pixels, the image is decoded again at the end.
    let tiff: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let bytes = upright.dropLast(12) + pngChunk("eXIf", tiff) + upright.suffix(12)
    func spent(limit: Duration) throws -> Duration {
      let clock = SteppingClock(step: .seconds(1))
      let decoder = ImageDecoder(timeLimit: limit, timeline: Timeline(clock: clock) { 0 })
      let decoding = try #require(decoder.incremental(options: ImageOptions()))
      _ = try decoding.feed(Array(bytes))
      #expect(try decoding.finish().width == 800)
      return clock.now.elapsed
    }
    let total = try spent(limit: .seconds(10_000))
    let thrown = #expect(throws: LoadError.self) { try spent(limit: total * 3 / 4) }
    #expect(thrown?.kind == .timeout)
  }

  @Test func `the time of reducing an interlaced image counts, too`() throws {
    // 2.25 million white pixels of one bit. Rows are complete only after the last pass, and are reduced then.
    let side = 1_500
    var rows: [UInt8] = []
    for (x, y, dx, dy) in [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ] {
      let (width, height) = ((side - x + dx - 1) / dx, (side - y + dy - 1) / dy)
      for _ in 0..<height { rows += [0] + Array(repeating: 255, count: (width + 7) / 8) }
    }
    let sides: [UInt8] = [0, 0, UInt8(side >> 8), UInt8(side & 255)]
    let bytes =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + pngChunk("IHDR", sides + sides + [1, 0, 0, 0, 1])
      + pngChunk("IDAT", zlibStored(rows)) + pngChunk("IEND", [])
    func spent(_ options: ImageOptions) throws -> Duration {
      let clock = SteppingClock(step: .seconds(1))
      let decoder = ImageDecoder(timeLimit: .seconds(10_000), timeline: Timeline(clock: clock) { 0 })
      #expect(try decoder.decode(bytes, options: options).pixels.allSatisfy { $0 == 255 })
      return clock.now.elapsed
    }
    let reduced = try spent(ImageOptions(targetSize: PixelSize(width: 4, height: 4)))
    // One check for every million pixels.
    #expect(reduced >= (try spent(ImageOptions())) + .seconds(3))
  }

  @Test func `cancellation is noticed between pieces`() async throws {
    let fixture = try #require(PictureFixture.jpeg.first { $0.name == "progressive" })
    let bytes = fixture.bytes
    let task = Task {
      let decoding = try #require(ImageDecoder().incremental(options: ImageOptions()))
      _ = try decoding.feed(Array(bytes.prefix(900)))
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      #expect(throws: LoadError.cancelled) { try decoding.feed(Array(bytes[900..<1_200])) }
      #expect(throws: LoadError.cancelled) { try decoding.finish() }
    }
    try await task.value
  }

  /// Any number of fill bytes may precede a marker (T.81, B.1.1.2). The number here exceeds the input that
  /// libjpeg gets at once.
  @Test func `many fill bytes are skipped`() throws {
    let bytes = PictureFixture.jpeg[0].bytes
    let filled = bytes.prefix(2) + [UInt8](repeating: 0xFF, count: 3 << 20) + bytes.dropFirst(2)
    let expected = try decoder.decode(bytes, options: ImageOptions())
    #expect(try decoder.decode(Array(filled), options: ImageOptions()) == expected)
  }
}
