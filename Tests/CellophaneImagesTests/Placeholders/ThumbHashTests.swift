internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct ThumbHashTests {
  @Test(arguments: [(100, 100), (300, 100), (100, 300), (1, 1000), (1000, 1), (640, 480), (1, 1)])
  func `the aspect ratio is near that of the image`(_ size: (Int, Int)) throws {
    for alphas in [[255], [100]] as [[UInt8]] {
      let hash = try ThumbHash(encoding: try noise(size.0, size.1, seed: 3, alphas: alphas))
      let limit: Double = alphas == [255] ? 7 : 5
      let exact = min(max(Double(size.0) / Double(size.1), 1 / limit), limit)
      // Half a step of the shorter side.
      let relative = hash.aspectRatio / exact
      #expect(abs(relative - 1) < 0.21, "\(hash.aspectRatio)")
      let longer = max(hash.imageSize.width, hash.imageSize.height)
      #expect(longer == 32)
      #expect(abs(Double(hash.imageSize.width) / Double(hash.imageSize.height) / hash.aspectRatio - 1) < 0.1)
    }
  }

  @Test func `a larger image is reduced to at most 100 pixels`() throws {
    for (width, height) in [(203, 151), (101, 40), (40, 101), (2000, 3)] {
      let image = try noise(width, height, seed: 8, alphas: [0, 120, 255])
      let limit = PixelSize(width: 100, height: 100)
      let reduced = try image.processed(by: [.resize(to: limit)])
      #expect(try ThumbHash(encoding: image) == ThumbHash(encoding: reduced))
    }
  }

  @Test(arguments: Orientation.allCases)
  func `the orientation is applied`(orientation: Orientation) throws {
    let stored = try noise(130, 70, seed: 9)
    let turned = try Image(
      width: stored.width, height: stored.height, pixels: stored.pixels, orientation: orientation)
    let hash = try ThumbHash(encoding: turned)
    #expect((hash.aspectRatio < 1) == orientation.swapsSides)
    let plain = try ThumbHash(encoding: stored)
    #expect((hash == plain) == (orientation == .up))
    #expect(hash.averageColor == plain.averageColor)
  }

  /// The sides are at least 12: cosines of seven frequencies on fewer pixels are not independent.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `encoding keeps the average`(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let width = Int.random(in: 12...150, using: &numbers)
    let height = Int.random(in: 12...150, using: &numbers)
    let alphas: [UInt8] = seed % 2 == 0 ? [255] : [60, 200, 255]
    let image = try noise(width, height, seed: seed, alphas: alphas)
      .processed(by: [
        .tint(Image.Pixel(red: UInt8(seed * 6), green: 255 - UInt8(seed * 5), blue: 70, alpha: 170))
      ])
    let (hash, exact) = (try ThumbHash(encoding: image), mean(of: image))
    let average = hash.averageColor
    // Half a step of 1/63 in lightness and of 1/31.5 in the other channels, and in alpha of 1/15.
    for (value, expected) in [
      (average.red, exact.x), (average.green, exact.y), (average.blue, exact.z), (average.alpha, exact.w),
    ] {
      #expect(abs(Double(value) - expected) <= 10, "\(average) \(exact)")
    }
    let picture = mean(of: try ThumbHash(hash.bytes).image())
    let bytes = SIMD4(average.red, average.green, average.blue, average.alpha)
    let difference = picture - SIMD4<Double>(SIMD4<Int32>(truncatingIfNeeded: bytes))
    #expect(max(difference.max(), -difference.min()) < 10, "\(picture) \(average)")
  }

  @Test func `a single color stays`() throws {
    for (red, green, blue) in [(0, 0, 0), (255, 255, 255), (255, 0, 0), (12, 200, 90), (128, 128, 128)] {
      let color = Image.Pixel(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
      let image = try ProcessingReference.image(40, 30) { _, _ in color }
      let picture = try ThumbHash(encoding: image).image()
      let (first, bytes) = (picture[0, 0], [UInt8(red), UInt8(green), UInt8(blue), 255])
      #expect(largestDifference([first.red, first.green, first.blue, first.alpha], bytes) <= 9, "\(first)")
      #expect(mean(of: picture).x == Double(first.red))
    }
  }

  @Test func `base64 is read in both alphabets, with or without padding`() throws {
    let hash = try ThumbHash(encoding: try noise(40, 25, seed: 77))
    let text = hash.base64
    #expect(hash.description == text)
    let forURL = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    for form in [text, text.replacing("=", with: ""), forURL] {
      #expect(try ThumbHash(base64: form) == hash)
    }
  }

  @Test func `every length of base64 is reversible`() throws {
    var lengths: Set<Int> = []
    for width in [100, 70, 50, 40, 20] {
      for alphas in [[255], [9]] as [[UInt8]] {
        let hash = try ThumbHash(encoding: try noise(width, 100, seed: 5, alphas: alphas))
        #expect(hash.base64.utf8.count == (hash.bytes.count + 2) / 3 * 4)
        #expect(try ThumbHash(base64: hash.base64) == hash)
        lengths.insert(hash.bytes.count % 3)
        // No number of bytes has this many digits.
        guard hash.bytes.count % 3 == 0 else { continue }
        #expect(throws: LoadError.self) { try ThumbHash(base64: hash.base64 + "A") }
      }
    }
    #expect(lengths == [0, 1, 2])
  }

  @Test(arguments: [
    "", "=", "====", "3wcK N", "3wcKNxqA*4dw", "3wcKNxqAh4dwh4d4iHiHiIeHCAiIgH8H\n", "é", "A", "AA===",
    "3w==",
  ])
  func `other text is an error`(text: String) {
    let error = #expect(throws: LoadError.self) { try ThumbHash(base64: text) }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains("; check that") == true)
  }

  @Test func `only the length that the header implies is accepted`() throws {
    for (width, alphas) in [(100, [255]), (30, [255]), (100, [9]), (30, [9])] as [(Int, [UInt8])] {
      let bytes = try ThumbHash(encoding: try noise(width, 100, seed: 5, alphas: alphas)).bytes
      for count in 0..<60 where count != bytes.count {
        let changed = Array(bytes.prefix(count)) + Array(repeating: 0, count: max(0, count - bytes.count))
        let error = #expect(throws: LoadError.self) { try ThumbHash(changed) }
        #expect(error?.kind == .corrupt)
        #expect(error?.message.contains("\(count) bytes") == true)
      }
      #expect(try ThumbHash(bytes).bytes == bytes)
    }
  }

  @Test func `a header without an aspect ratio is an error`() throws {
    var bytes = try ThumbHash(encoding: try noise(20, 30, seed: 5)).bytes
    bytes[3] &= 0xF8
    let error = #expect(throws: LoadError.self) { try ThumbHash(bytes) }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains("aspect ratio") == true)
  }

  /// Random bytes of every length. Accepted bytes must decode.
  @Test(arguments: 0..<64 as Range<Int>)
  func `random bytes are an error or decode`(length: Int) throws {
    var numbers = SplitMix64(seed: length)
    var accepted = 0
    for _ in 0..<400 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      guard let hash = try? ThumbHash(bytes) else { continue }
      accepted += 1
      let picture = hash.image()
      #expect(picture.width == hash.imageSize.width && picture.height == hash.imageSize.height)
      #expect((4...32).contains(picture.width) && (4...32).contains(picture.height))
      #expect((1 / 7.0...7.0).contains(hash.aspectRatio))
      _ = hash.averageColor
    }
    // Headers without alpha imply 17 to 24 bytes; those with alpha imply 23 to 29.
    #expect((accepted > 0) == Self.possibleLengths.contains(length), "\(accepted)")
  }

  /// The lengths that headers imply.
  private static let possibleLengths: Set<Int> = {
    var lengths: Set<Int> = []
    for shorter in 3...7 {
      lengths.insert(5 + (terms(shorter, 7) + 2 * 5 + 1) / 2)
      lengths.insert(6 + (terms(shorter, 5) + 2 * 5 + 14 + 1) / 2)
    }
    return lengths
  }()

  /// Returns the number of pairs with c / columns + r / rows < 1, without the pair (0, 0).
  private static func terms(_ columns: Int, _ rows: Int) -> Int {
    var count = -1
    for row in 0..<rows {
      for column in 0..<columns where column * rows + row * columns < columns * rows { count += 1 }
    }
    return count
  }

  @Test(arguments: [(1, 1), (1, 50), (1024, 1), (3, 1024), (64, 64)])
  func `a picture has the requested size`(_ size: (Int, Int)) throws {
    let hash = try ThumbHash(encoding: try noise(30, 20, seed: 4))
    let picture = try hash.image(size: PixelSize(width: size.0, height: size.1))
    #expect(picture.width == size.0 && picture.height == size.1 && picture.isOpaque)
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 5), (1025, 1), (1, 1025), (Int.max, Int.max), (Int.min, Int.min)])
  func `a size outside of the limits is an error`(_ size: (Int, Int)) throws {
    let hash = try ThumbHash(encoding: try noise(30, 20, seed: 4))
    let error = #expect(throws: LoadError.self) {
      try hash.image(size: PixelSize(width: size.0, height: size.1))
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("\(size.0)x\(size.1)") == true)
  }
}
