internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct RoundedCornersTests {
  /// Returns the part of the pixel (`x`, `y`) within a rounded rectangle, by numerical integration over 400 columns.
  private static func coverage(_ x: Int, _ y: Int, width: Int, height: Int, radius: Double) -> Double {
    let steps = 400
    var sum = 0.0
    for step in 0..<steps {
      let position = Double(x) + (Double(step) + 0.5) / Double(steps)
      let distance = max(radius - min(position, Double(width) - position), 0)
      let top = radius - (radius * radius - distance * distance).squareRoot()
      let bottom = Double(height) - top
      sum += max(min(Double(y + 1), bottom) - max(Double(y), top), 0)
    }
    return sum / Double(steps)
  }

  /// Compares alpha within one level. Colors must be equal unless the pixel is transparent.
  private static func check(_ result: Image, _ source: Image, radius: Double) {
    for y in 0..<result.height {
      for x in 0..<result.width {
        let share = coverage(x, y, width: result.width, height: result.height, radius: radius)
        let (pixel, original) = (result[x, y], source[x, y])
        #expect(abs(Double(pixel.alpha) - Double(original.alpha) * share) <= 1)
        if pixel.alpha == 0 {
          #expect(pixel == Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0))
        } else {
          #expect((pixel.red, pixel.green, pixel.blue) == (original.red, original.green, original.blue))
        }
      }
    }
  }

  @Test(
    arguments: [(1, 1), (2, 2), (3, 3), (9, 4), (5, 14), (17, 17)], [0.3, 0.5, 1, 2.5, 4.8, 8.5, .infinity])
  func `alpha is the covered part of a pixel`(_ size: (Int, Int), radius: Double) throws {
    for alphas in [[255], [1, 100, 255]] as [[UInt8]] {
      let image = try noise(size.0, size.1, seed: 6, alphas: alphas)
      let result = try image.processed(by: [.roundedCorners(radius: radius)])
      Self.check(result, image, radius: min(radius, Double(min(size.0, size.1)) / 2))
    }
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 7), (20, 9), (9, 20), (24, 24)])
  func `a circle is square and centered`(_ size: (Int, Int)) throws {
    let image = try noise(size.0, size.1, seed: 6, alphas: [0, 80, 255])
    let side = min(size.0, size.1)
    let (x, y) = ((size.0 - side) / 2, (size.1 - side) / 2)
    let part = try ProcessingReference.image(side, side) { image[x + $0, y + $1] }
    let result = try image.processed(by: [.circle])
    #expect(result.width == side && result.height == side)
    let hidden = part.pixels.enumerated().filter { $0.offset % 4 == 3 && $0.element == 0 }.map(\.offset)
    #expect(hidden.allSatisfy { result.pixels[$0] == 0 })
    // Transparent pixels may keep their colors within the circle.
    for row in 0..<side {
      for column in 0..<side where part[column, row].alpha > 0 {
        let share = Self.coverage(column, row, width: side, height: side, radius: Double(side) / 2)
        #expect(abs(Double(result[column, row].alpha) - Double(part[column, row].alpha) * share) <= 1)
      }
    }
  }

  @Test func `the result is symmetric`() throws {
    let image = try ProcessingReference.image(41, 37) { _, _ in Image.Pixel(red: 9, green: 8, blue: 7) }
    let result = try image.processed(by: [.roundedCorners(radius: 12.3)])
    for y in 0..<37 {
      for x in 0..<41 { #expect(result[x, y] == result[40 - x, y] && result[x, y] == result[x, 36 - y]) }
    }
    #expect(result[0, 0].alpha == 0 && result[20, 0].alpha == 255 && result[0, 18].alpha == 255)
  }

  @Test func `no radius changes nothing`() throws {
    let image = try noise(6, 5, seed: 1, alphas: [0, 9, 255])
    for radius in [0, -5, -.infinity] as [Double] {
      #expect(try image.processed(by: [.roundedCorners(radius: radius)]) == image)
    }
  }
}
