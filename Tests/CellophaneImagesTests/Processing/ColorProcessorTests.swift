internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct ColorProcessorTests {
  private static let alphas: [UInt8] = [0, 1, 100, 255]

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `grayscale is the luma of Rec. 709`(seed: UInt64) throws {
    let image = try noise(37, 11, seed: seed, alphas: Self.alphas)
    let expected = try ProcessingReference.image(37, 11) { x, y in
      let pixel = image[x, y]
      let (red, green, blue) = (Int(pixel.red), Int(pixel.green), Int(pixel.blue))
      let sum = 13_933 * red + 46_871 * green + 4_732 * blue
      let luma = UInt8((sum + 32_768) / 65_536)
      let exact: Double = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
      #expect(abs(Double(luma) - exact) < 0.51)
      return Image.Pixel(red: luma, green: luma, blue: luma, alpha: pixel.alpha)
    }
    #expect(try image.processed(by: [.grayscale]) == expected)
  }

  @Test func `grays are unchanged by grayscale`() throws {
    let image = try ProcessingReference.image(256, 1) { x, _ in
      Image.Pixel(red: UInt8(x), green: UInt8(x), blue: UInt8(x), alpha: UInt8(255 - x))
    }
    #expect(try image.processed(by: [.grayscale]) == image)
  }

  @Test(arguments: 0..<4 as Range<UInt64>, [0, 1, 64, 127, 128, 254, 255] as [UInt8])
  func `a tint is blended by its alpha`(seed: UInt64, opacity: UInt8) throws {
    let image = try noise(37, 11, seed: seed, alphas: Self.alphas)
    let tint = Image.Pixel(red: UInt8(seed * 80), green: 255, blue: 13, alpha: opacity)
    func mixed(_ value: UInt8, _ color: UInt8) -> UInt8 {
      let sum = Int(value) * (255 - Int(opacity)) + Int(color) * Int(opacity)
      return UInt8((2 * sum + 255) / 510)
    }
    let expected = try ProcessingReference.image(37, 11) { x, y in
      let pixel = image[x, y]
      return Image.Pixel(
        red: mixed(pixel.red, tint.red), green: mixed(pixel.green, tint.green),
        blue: mixed(pixel.blue, tint.blue), alpha: pixel.alpha)
    }
    #expect(try image.processed(by: [.tint(tint)]) == expected)
  }

  @Test(arguments: [(1, 1), (2, 7), (5, 9), (8, 8), (13, 6)], [1, 2, 3, 4, 100, Int.max])
  func `a border covers the outermost pixels`(_ size: (Int, Int), width: Int) throws {
    for alpha in [0, 90, 255] as [UInt8] {
      let image = try noise(size.0, size.1, seed: 2, alphas: Self.alphas)
      let color = Image.Pixel(red: 250, green: 7, blue: 99, alpha: alpha)
      let expected = try ProcessingReference.image(size.0, size.1) { x, y in
        let distance = min(x, y, size.0 - 1 - x, size.1 - 1 - y)
        return distance < width ? ProcessingReference.over(color, image[x, y]) : image[x, y]
      }
      #expect(try image.processed(by: [.border(width: width, color: color)]) == expected)
    }
  }

  @Test func `a border of no width changes nothing`() throws {
    let image = try noise(5, 4, seed: 2)
    for width in [0, -1, Int.min] {
      #expect(
        try image.processed(by: [.border(width: width, color: Image.Pixel(red: 1, green: 2, blue: 3))])
          == image)
    }
  }
}
