#if canImport(Glibc)
  internal import Glibc
#else
  internal import Foundation
#endif

extension BlurHash {
  /// The maximum width and height of an encoded image. 2^20: the cosines of nine frequencies then have 72 MiB.
  private static let maximumSide = 1 << 20

  /// Creates the placeholder of an image.
  ///
  /// The result is that of the reference implementation for opaque images. Transparent pixels, which the format does
  /// not know, count as the mean color of the others. The orientation of the image is applied. Colors are encoded as
  /// stored, so the image should be sRGB.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - components: The number of frequencies along a row and along a column, 1...9 each. By default 4x3, which is
  ///     usual for landscape images: 28 characters.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for another number of components, or if the image was decoded without
  ///   its pixels; ``LoadError/Kind/imageTooLarge`` for a side of more than 1 048 576 pixels; ``LoadError/cancelled``.
  /// - Complexity: linear in the number of pixels times `components.x`.
  public init(encoding image: Image, components: (x: Int, y: Int) = (4, 3)) throws(LoadError) {
    let allowed = 1...Self.maximumComponents
    guard allowed.contains(components.x), allowed.contains(components.y) else {
      throw LoadError(
        .invalidRequest,
        "a BlurHash of \(components.x)x\(components.y) components is not possible; choose from 1 to "
          + "\(Self.maximumComponents) for each side")
    }
    guard max(image.width, image.height) <= Self.maximumSide else {
      throw LoadError(
        .imageTooLarge,
        "an image of \(image.width)x\(image.height) cannot be encoded as a BlurHash; resize it to sides of at "
          + "most \(Self.maximumSide) pixels")
    }
    let terms = try Self.terms(of: try image.upright(), columns: components.x, rows: components.y)
    self.init(digits: Self.digits(terms, columns: components.x, rows: components.y))
  }

  /// Returns the coefficients of red, green and blue in linear light, row by row.
  private static func terms(of image: Image, columns: Int, rows: Int) throws(LoadError) -> [SIMD4<Double>] {
    let (width, height) = (image.width, image.height)
    let light = SRGBLevels.shared.light
    let across = cosines(columns, length: width)
    let down = cosines(rows, length: height)
    // Red, green and blue times alpha, and 1 - alpha.
    var sums: [SIMD4<Double>] = Array(repeating: .zero, count: columns * rows)
    var line: [SIMD4<Double>] = Array(repeating: .zero, count: columns)
    for y in 0..<height {
      try LoadError.throwIfCancelled()
      add(image.pixels.span, y * width..<(y + 1) * width, light, across, to: &line)
      for row in 0..<rows {
        for column in 0..<columns { sums[row * columns + column] += line[column] * down[y * rows + row] }
      }
    }
    let area = Double(width * height)
    let opaque = area - sums[0].w
    let mean = opaque > 0 ? sums[0] / opaque : .zero
    return sums.enumerated().map { index, sum in
      var term = (sum + mean * sum.w) / area
      term.w = 0
      return index == 0 ? term : term * 2
    }
  }

  /// Stores the products of the pixels in `range` and the cosines of their columns in `line`, summed by frequency.
  private static func add(
    _ pixels: Span<UInt8>, _ range: Range<Int>, _ light: [Double], _ across: [Double],
    to line: inout [SIMD4<Double>]
  ) {
    var sums = line.mutableSpan
    let (light, across) = (light.span, across.span)
    sums.update(repeating: .zero)
    var next = 0
    for index in range {
      let pixel = pixels.pixel(at: index * 4)
      var value = SIMD4(light[Int(pixel.x)], light[Int(pixel.y)], light[Int(pixel.z)], 0)
      if pixel.w < 255 {
        let alpha = Double(pixel.w) / 255
        value *= alpha
        value.w = 1 - alpha
      }
      for column in sums.indices {
        sums[column] += value * across[next]
        next += 1
      }
    }
  }

  /// Returns cos(π k x / length) for each position x and, next to each other, each frequency k.
  private static func cosines(_ count: Int, length: Int) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(count * length)
    for position in 0..<length {
      for frequency in 0..<count {
        result.append(cos(Double.pi * Double(frequency) * Double(position) / Double(length)))
      }
    }
    return result
  }

  private static func digits(_ terms: [SIMD4<Double>], columns: Int, rows: Int) -> [UInt8] {
    let largest = terms.dropFirst().reduce(0) { max($0, $1.max(), -$1.min()) }
    let scale = Int(min(max((largest * 166 - 0.5).rounded(.down), 0), 82))
    var digits = [UInt8(columns - 1 + (rows - 1) * 9), UInt8(scale)]
    let average = terms[0]
    let levels = SRGBLevels.shared
    let red = Int(levels.level(of: Float(average.x)))
    let green = Int(levels.level(of: Float(average.y)))
    let blue = Int(levels.level(of: Float(average.z)))
    digits += Base83.digits(of: red << 16 | green << 8 | blue, count: 4)
    for term in terms.dropFirst() {
      let value = term * (166 / Double(scale + 1))
      let number = [value.x, value.y, value.z].reduce(0) { $0 * 19 + level($1) }
      digits += Base83.digits(of: number, count: 2)
    }
    return digits
  }

  /// Returns the level 0...18 of a coefficient in -1...1. The format stores the root of the absolute value.
  private static func level(_ value: Double) -> Int {
    let root = value < 0 ? -(-value).squareRoot() : value.squareRoot()
    return Int(min(max((root * 9 + 9.5).rounded(.down), 0), 18))
  }
}
