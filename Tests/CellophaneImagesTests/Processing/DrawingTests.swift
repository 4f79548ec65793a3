internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct DrawingTests {
  @Test(arguments: [(0, 0), (3, 2), (-4, -3), (9, 5), (-5, 0), (0, -4), (11, 0), (0, 7), (-2, 6), (-1, 3)])
  func `an image is drawn over another and clipped`(_ position: (Int, Int)) throws {
    for seed in 0..<3 as Range<UInt64> {
      let lower = try noise(11, 7, seed: seed, alphas: [0, 1, 30, 254, 255])
      let upper = try noise(5, 4, seed: seed + 100, alphas: [0, 1, 120, 255])
      let expected = try ProcessingReference.image(11, 7) { x, y in
        let (column, row) = (x - position.0, y - position.1)
        guard (0..<5).contains(column), (0..<4).contains(row) else { return lower[x, y] }
        return ProcessingReference.over(upper[column, row], lower[x, y])
      }
      var result = lower
      result.draw(upper, x: position.0, y: position.1)
      #expect(result == expected)
    }
  }

  @Test func `every pair of alphas is composed exactly`() throws {
    var result = try ProcessingReference.image(256, 256) { x, y in
      Image.Pixel(red: UInt8(x), green: UInt8(x ^ y), blue: 0, alpha: UInt8(y))
    }
    let lower = result
    let upper = try ProcessingReference.image(256, 256) { x, y in
      Image.Pixel(red: 255, green: UInt8(y), blue: UInt8(x & y), alpha: UInt8(x))
    }
    result.draw(upper, x: 0, y: 0)
    let expected = try ProcessingReference.image(256, 256) { x, y in
      ProcessingReference.over(upper[x, y], lower[x, y])
    }
    #expect(result == expected)
  }

  @Test func `a position far outside draws nothing`() throws {
    let image = try noise(6, 5, seed: 1)
    let other = try noise(6, 5, seed: 2)
    for (x, y) in [(Int.min, 0), (0, Int.max), (Int.max, Int.max), (Int.min, Int.min), (6, 0), (0, -5)] {
      var result = image
      result.draw(other, x: x, y: y)
      #expect(result == image, "\(x), \(y)")
    }
  }

  @Test func `an image is drawn over itself`() throws {
    var image = try noise(6, 5, seed: 1)
    let copy = image
    image.draw(image, x: 2, y: 1)
    #expect(image[2, 1] == copy[0, 0] && image[5, 4] == copy[3, 3] && image[0, 0] == copy[0, 0])
  }
}
