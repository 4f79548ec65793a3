@testable internal import CellophaneImages
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct BlurTests {
  private static func gaussian(_ deviation: Double) -> [Double] {
    let reach = Int((6 * deviation).rounded(.up))
    let scale = 2 * deviation * deviation
    return (-reach...reach).map { distance in exp(-Double(distance * distance) / scale) }
  }

  private static func box(_ deviation: Double) throws -> [Double] {
    let filter = try #require(BoxFilter(deviation: deviation))
    let inner = Array(repeating: 1.0, count: 2 * filter.reach + 1)
    return [Double(filter.edge)] + inner + [Double(filter.edge)]
  }

  @Test("three boxes have the variance of the Gaussian")
  func variance() throws {
    for deviation in [0.05, 0.3, 0.5, 0.81, 0.9, 1, 1.5, 2, 3.3, 7, 20, 20.1, 500, 16_384] {
      let weights = try Self.box(deviation)
      let middle = weights.count / 2
      let sum = weights.indices.reduce(0.0) { $0 + weights[$1] * Double(($1 - middle) * ($1 - middle)) }
      let variance = 3 * sum / weights.reduce(0, +)
      #expect(abs(variance / (deviation * deviation) - 1) < 1e-4, "\(deviation)")
      #expect((0...1).contains(weights[0]), "\(deviation)")
    }
  }

  /// Compares premultiplied values where the edges have no influence. The tolerance is the error of three boxes, which
  /// is greatest for noise of high contrast: up to 3.4 levels at a radius of 1, and 2.7 from 1.7.
  @Test(arguments: [1, 1.7, 2.5, 4])
  func `a blur is similar to a Gaussian`(radius: Double) throws {
    for alphas in [[255], [0, 0, 3, 128, 255]] as [[UInt8]] {
      let image = try noise(47, 41, seed: 5, alphas: alphas)
      let reference = ProcessingReference.filtered(image, by: Self.gaussian(radius))
      let result = try image.processed(by: [.blur(radius: radius)])
      let margin = Int((3 * radius).rounded(.up)) + 3
      let difference = ProcessingReference.largestDifference(
        result, reference, columns: margin..<47 - margin, rows: margin..<41 - margin)
      #expect(difference <= 3.5, "\(difference)")
    }
  }

  /// The intermediate values are rounded to 1/255 of a level, and the rows to levels.
  @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 3), (5, 4), (31, 22), (33, 6)], [0.4, 1, 2.2, 5, 9.5, 40])
  func `a blur is three box filters`(_ size: (Int, Int), radius: Double) throws {
    for alphas in [[255], [0, 0, 9, 200, 255]] as [[UInt8]] {
      let image = try noise(size.0, size.1, seed: 7, alphas: alphas)
      var reference = (0..<size.1).map { y in
        (0..<size.0).map { ProcessingReference.premultiplied(image[$0, y]) }
      }
      for _ in 0..<3 { reference = ProcessingReference.filtered(reference, by: try Self.box(radius)) }
      let result = try image.processed(by: [.blur(radius: radius)])
      let difference = ProcessingReference.largestDifference(
        result, reference, columns: 0..<size.0, rows: 0..<size.1)
      #expect(difference <= 1.3, "\(difference)")
    }
  }

  @Test(arguments: [0, 1, 127, 255] as [UInt8], [1, 77, 255] as [UInt8])
  func `a uniform color stays uniform`(value: UInt8, alpha: UInt8) throws {
    let pixel = Image.Pixel(red: value, green: 255 - value, blue: 60, alpha: alpha)
    let image = try ProcessingReference.image(19, 11) { _, _ in pixel }
    for radius in [0.2, 1, 6.7, 300, .infinity] as [Double] {
      #expect(try image.processed(by: [.blur(radius: radius)]) == image, "\(radius)")
    }
  }

  @Test func `colors of transparent pixels do not show`() throws {
    let image = try ProcessingReference.image(24, 16) { x, y in
      (x + y) % 3 == 0
        ? Image.Pixel(red: 10, green: 200, blue: 90, alpha: 255)
        : Image.Pixel(red: UInt8(x * 10), green: 0, blue: UInt8(y * 15), alpha: 0)
    }
    let result = try image.processed(by: [.blur(radius: 2)])
    for pixel in stride(from: 0, to: result.pixels.count, by: 4) {
      #expect(Array(result.pixels[pixel..<pixel + 3]) == [10, 200, 90])
      #expect((60...110).contains(result.pixels[pixel + 3]))
    }
  }

  @Test func `opaque images stay opaque and transparent ones transparent`() throws {
    for seed in 0..<4 as Range<UInt64> {
      for radius in [0.7, 3, 50] {
        #expect(try noise(21, 13, seed: seed).processed(by: [.blur(radius: radius)]).isOpaque)
        let hidden = try noise(21, 13, seed: seed, alphas: [0]).processed(by: [.blur(radius: radius)])
        #expect(hidden.pixels.allSatisfy { $0 == 0 })
      }
    }
  }

  @Test func `a radius without effect changes nothing`() throws {
    let image = try noise(9, 7, seed: 3, alphas: [0, 5, 255])
    for radius in [0, -1, -.infinity, 1e-200] as [Double] {
      #expect(try image.processed(by: [.blur(radius: radius)]) == image, "\(radius)")
    }
  }

  @Test func `large radii count as the largest`() throws {
    let image = try noise(9, 7, seed: 3)
    let largest = try image.processed(by: [.blur(radius: 16_384)])
    for radius in [16_385, 1e300, .infinity] as [Double] {
      #expect(try image.processed(by: [.blur(radius: radius)]) == largest, "\(radius)")
    }
  }

  @Test func `a very long side is an error`() throws {
    let strip = try Image(width: (1 << 20) + 1, height: 1, pixels: Array(repeating: 9, count: (1 << 22) + 4))
    let error = #expect(throws: LoadError.self) { try strip.processed(by: [.blur(radius: 1)]) }
    #expect(error?.kind == .imageTooLarge)
  }
}
