internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct DominantColorTests {
  private static let (red, blue) = (
    Image.Pixel(red: 220, green: 30, blue: 25), Image.Pixel(red: 20, green: 60, blue: 230)
  )

  @Test func `the color of a uniform image is its dominant color`() throws {
    for level in stride(from: 0, through: 255, by: 17).map(UInt8.init) {
      for alpha in [1, 255] as [UInt8] {
        let color = Image.Pixel(red: level, green: 255 - level, blue: level ^ 0x55, alpha: alpha)
        let image = try ProcessingReference.image(3, 2) { _, _ in color }
        #expect(image.dominantColor() == Image.Pixel(red: level, green: 255 - level, blue: level ^ 0x55))
      }
    }
  }

  @Test func `the color of the larger area wins`() throws {
    for share in [0, 10, 49, 51, 90, 100] {
      let image = try ProcessingReference.image(100, 4) { x, _ in x < share ? Self.red : Self.blue }
      #expect(image.dominantColor() == (share > 50 ? Self.red : Self.blue))
    }
  }

  @Test func `of two equal areas the same color wins at any position`() throws {
    for isSwapped in [false, true] {
      let image = try ProcessingReference.image(10, 10) { x, _ in
        (x < 5) == isSwapped ? Self.red : Self.blue
      }
      #expect(image.dominantColor() == Self.blue)
    }
  }

  @Test func `alpha is the weight of a pixel`() throws {
    let image = try ProcessingReference.image(100, 1) { x, _ in
      x < 70
        ? Image.Pixel(red: 220, green: 30, blue: 25, alpha: 100)
        : Image.Pixel(red: 20, green: 60, blue: 230, alpha: 255)
    }
    #expect(image.dominantColor() == Self.blue)
  }

  @Test func `transparent pixels are ignored`() throws {
    let image = try ProcessingReference.image(100, 1) { x, _ in
      x < 99 ? Image.Pixel(red: 255, green: 255, blue: 255, alpha: 0) : Self.red
    }
    #expect(image.dominantColor() == Self.red)
    let clear = Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    #expect(try noise(30, 20, seed: 5, alphas: [0]).dominantColor() == clear)
  }

  /// A sky of 68 % with a gradient over 60 levels, and 32 % of uniform black.
  @Test func `a gradient is one color`() throws {
    let image = try ProcessingReference.image(50, 100) { _, y in
      guard y >= 32 else { return Image.Pixel(red: 0, green: 0, blue: 0) }
      let step = (y - 32) * 60 / 68
      return Image.Pixel(red: UInt8(60 + step), green: UInt8(120 + step), blue: UInt8(190 + step))
    }
    let color = image.dominantColor()
    #expect((60...120).contains(color.red) && (120...180).contains(color.green) && color.blue >= 190)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `noise does not hide the color of an area`(seed: UInt64) throws {
    let grain = try noise(60, 40, seed: seed)
    let image = try ProcessingReference.image(60, 40) { x, y in
      let pixel = grain[x, y]
      // A third of the image has random colors, and the rest varies by 20 levels.
      return x < 20
        ? pixel
        : Image.Pixel(red: 180 + pixel.red / 12, green: 90 + pixel.green / 12, blue: 40 + pixel.blue / 12)
    }
    let color = image.dominantColor()
    #expect(largestDifference([color.red, color.green, color.blue], [190, 100, 50]) <= 6, "\(color)")
  }

  @Test(arguments: [(0, 0), (7, 8), (255, 255), (248, 247)] as [(UInt8, UInt8)])
  func `colors on both sides of a bin's edge are one color`(_ levels: (UInt8, UInt8)) throws {
    let image = try ProcessingReference.image(100, 1) { x, _ in
      if x < 40 { return Self.red }
      let level = x % 2 == 0 ? levels.0 : levels.1
      return Image.Pixel(red: level, green: level, blue: level)
    }
    // The mean is rounded half up.
    let mean = UInt8((Int(levels.0) + Int(levels.1) + 1) / 2)
    #expect(image.dominantColor() == Image.Pixel(red: mean, green: mean, blue: mean))
  }

  @Test func `the order of the pixels has no influence`() throws {
    let image = try noise(64, 48, seed: 11, alphas: [0, 90, 255])
    let turned = try ProcessingReference.image(64, 48) { image[63 - $0, 47 - $1] }
    #expect(image.dominantColor() == turned.dominantColor())
  }
}
