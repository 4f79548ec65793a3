internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct BlurHashTests {
  /// The placeholder that the description of the format explains.
  private static let example = "LlMF%n00%#MwS|WCWEM{R*bbWBbH"

  @Test func `the example of the format has 4 by 3 components`() throws {
    let hash = try BlurHash(Self.example)
    #expect(hash.components == (4, 3))
    #expect(hash.string == Self.example && hash.description == Self.example)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `encoding keeps the average`(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let (width, height) = (Int.random(in: 1...90, using: &numbers), Int.random(in: 1...90, using: &numbers))
    let image = try noise(width, height, seed: seed)
      .processed(by: [
        .tint(Image.Pixel(red: UInt8(seed * 6), green: 255 - UInt8(seed * 5), blue: 70, alpha: 200))
      ])
    let components = (x: Int(seed % 9) + 1, y: Int(seed / 9) + 1)
    let hash = try BlurHash(encoding: image, components: components)
    #expect(hash.string.utf8.count == 4 + 2 * components.x * components.y)
    let (average, exact) = (hash.averageColor, mean(of: image))
    // The mean of linear light exceeds that of the stored values, by 14 levels in a tinted image.
    for (value, stored) in [(average.red, exact.x), (average.green, exact.y), (average.blue, exact.z)] {
      #expect((-1...14).contains(Double(value) - stored), "\(average) \(exact)")
    }
    // Without contrast, all pixels are the average.
    let flat = try hash.image(size: PixelSize(width: 3, height: 2), punch: 0)
    for pixel in 0..<6 { #expect(flat[pixel % 3, pixel / 3] == average) }
  }

  @Test func `a single color and a single component stay exactly`() throws {
    for level in 0...255 as ClosedRange<UInt8> {
      let color = Image.Pixel(red: level, green: 255 - level, blue: level / 2)
      let image = try ProcessingReference.image(5, 4) { _, _ in color }
      let hash = try BlurHash(encoding: image, components: (1, 1))
      #expect(hash.averageColor == color)
      #expect(try hash.image(size: PixelSize(width: 2, height: 1))[1, 0] == color)
    }
  }

  @Test func `colors of transparent pixels do not count`() throws {
    let visible = Image.Pixel(red: 10, green: 200, blue: 90)
    let image = try ProcessingReference.image(24, 16) { x, y in
      (x + y) % 3 == 0 ? visible : Image.Pixel(red: UInt8(x * 10), green: 0, blue: UInt8(y * 15), alpha: 0)
    }
    let uniform = try ProcessingReference.image(24, 16) { _, _ in visible }
    for components in [(1, 1), (4, 3), (9, 9)] {
      #expect(
        try BlurHash(encoding: image, components: components)
          == BlurHash(encoding: uniform, components: components))
    }
  }

  @Test func `a transparent image is black`() throws {
    let image = try noise(9, 5, seed: 2, alphas: [0])
    #expect(try BlurHash(encoding: image).averageColor == Image.Pixel(red: 0, green: 0, blue: 0))
  }

  @Test(arguments: Orientation.allCases)
  func `the orientation is applied`(orientation: Orientation) throws {
    let stored = try ProcessingReference.image(30, 20) { x, y in
      Image.Pixel(red: UInt8(x * 8), green: UInt8(y * 12), blue: UInt8(x * y / 3))
    }
    let turned = try Image(width: 30, height: 20, pixels: stored.pixels, orientation: orientation)
    let (hash, plain) = (try BlurHash(encoding: turned), try BlurHash(encoding: stored))
    #expect((hash == plain) == (orientation == .up))
    let picture = try hash.image(size: PixelSize(width: 9, height: 9))
    // Red increases to the right as stored, and green downwards.
    let bright =
      switch orientation {
      case .up, .leftMirrored: (8, 8)
      case .upMirrored, .right: (0, 8)
      case .down, .rightMirrored: (0, 0)
      case .downMirrored, .left: (8, 0)
      }
    let corners = [(0, 0), (8, 0), (0, 8), (8, 8)]
    let brightest = corners.max { a, b in
      let (one, other) = (picture[a.0, a.1], picture[b.0, b.1])
      return Int(one.red) + Int(one.green) < Int(other.red) + Int(other.green)
    }
    #expect(try #require(brightest) == bright)
  }

  @Test func `punch changes the contrast`() throws {
    let hash = try BlurHash(Self.example)
    let size = PixelSize(width: 16, height: 12)
    let ranges = try [0, 0.5, 1, 2].map { punch in
      let reds = try hash.image(size: size, punch: punch).pixels.enumerated().filter { $0.offset % 4 == 0 }
      return Int(reds.map(\.element).max() ?? 0) - Int(reds.map(\.element).min() ?? 0)
    }
    #expect(ranges == ranges.sorted() && Set(ranges).count == 4 && ranges[0] == 0, "\(ranges)")
    #expect(try hash.image(size: size, punch: 1e300).isOpaque)
    for punch in [-0.1, .nan, .infinity, -.infinity] as [Double] {
      let error = #expect(throws: LoadError.self) { try hash.image(size: size, punch: punch) }
      #expect(error?.kind == .invalidRequest)
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (10, 1), (1, 10), (-4, 3), (Int.max, Int.min)])
  func `other numbers of components are an error`(_ components: (Int, Int)) throws {
    let image = try noise(4, 4, seed: 1)
    let error = #expect(throws: LoadError.self) { try BlurHash(encoding: image, components: components) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("\(components.0)x\(components.1)") == true)
  }

  @Test func `a very long side is an error`() throws {
    let strip = try Image(width: 1, height: (1 << 20) + 1, pixels: Array(repeating: 9, count: (1 << 22) + 4))
    let error = #expect(throws: LoadError.self) { try BlurHash(encoding: strip) }
    #expect(error?.kind == .imageTooLarge)
  }

  @Test(arguments: [
    "", "0", "00000", "LlMF%n00%#MwS|WCWEM{R*bbWBb", "LlMF%n00%#MwS|WCWEM{R*bbWBbHH",
    "LlMF%n00%#MwS|WCWEM{R*bbWBb\"",
    "LlMF%n00%#MwS|WCWEM{R*bbWBbé", " LlMF%n00%#MwS|WCWEM{R*bbWBb", "}00000", "~00000", "00~~~~",
    "00TSUB", "100000~~", "100000~r", "100000\0\0",
  ])
  func `other text is an error`(text: String) {
    let error = #expect(throws: LoadError.self) { try BlurHash(text) }
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains("; check that") == true)
  }

  /// 16 777 215, white, and 6858, three times the greatest coefficient. The numbers after them are errors.
  @Test func `the greatest numbers are accepted`() throws {
    let white = try BlurHash("1~TSUA~q")
    #expect(white.averageColor == Image.Pixel(red: 255, green: 255, blue: 255))
    let picture = try white.image(size: PixelSize(width: 5, height: 1))
    #expect(picture[0, 0] == white.averageColor)
    // At 4/5 of the width, the light is 1 + cos(4π/5) / 2 = 0.595, which is the level 203.
    #expect(picture[4, 0] == Image.Pixel(red: 203, green: 203, blue: 203))
  }

  /// Random digits with a first digit that implies their number. Accepted texts must decode.
  @Test(arguments: 0..<83 as Range<Int>)
  func `random digits are an error or decode`(first: Int) throws {
    let alphabet = Array(
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    var numbers = SplitMix64(seed: first)
    let count = (first % 9 + 1) * (first / 9 + 1)
    var accepted = 0
    for _ in 0..<60 {
      // A third of the numbers of four digits is a color, and nearly all of two digits are coefficients.
      let text = String((0..<4 + 2 * count).map { _ in alphabet.randomElement(using: &numbers) ?? "0" })
      guard let hash = try? BlurHash(String(alphabet[first]) + text.dropFirst()) else { continue }
      accepted += 1
      let picture = try hash.image(size: PixelSize(width: 7, height: 5), punch: 3)
      #expect(picture.isOpaque && hash.components.x * hash.components.y == count)
    }
    #expect((accepted > 0) == (first <= 80))
  }

  @Test(arguments: 0..<200 as Range<Int>)
  func `random bytes of every length are an error or decode`(length: Int) throws {
    var numbers = SplitMix64(seed: length)
    for _ in 0..<50 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      guard let hash = try? BlurHash(String(decoding: bytes, as: UTF8.self)) else { continue }
      #expect(try hash.image(size: PixelSize(width: 4, height: 4)).isOpaque)
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (1025, 1), (1, 1025), (Int.max, Int.max), (-1, -1)])
  func `a size outside of the limits is an error`(_ size: (Int, Int)) throws {
    let hash = try BlurHash(Self.example)
    let error = #expect(throws: LoadError.self) {
      try hash.image(size: PixelSize(width: size.0, height: size.1))
    }
    #expect(error?.kind == .invalidRequest)
  }
}
