@testable internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite(.thorough)
struct ResamplerTests {
  /// The distribution of alpha in an image.
  enum Alpha: CaseIterable {
    case opaque, mixed, lateInTheImage, mostlyTransparent
  }

  struct Shape: Sendable, CustomStringConvertible {
    let from, to: (Int, Int)
    var part: Framing.Crop?
    var description: String { "\(from) to \(to) of \(part.map { "\($0)" } ?? "all")" }
  }

  static let shapes = [
    Shape(from: (31, 17), to: (31, 17)), Shape(from: (31, 17), to: (30, 16)),
    Shape(from: (31, 17), to: (16, 9)),
    Shape(from: (32, 24), to: (8, 6)), Shape(from: (70, 60), to: (1, 1)), Shape(from: (40, 1), to: (7, 1)),
    Shape(from: (1, 40), to: (1, 7)), Shape(from: (1, 1), to: (9, 5)), Shape(from: (7, 5), to: (20, 33)),
    Shape(from: (7, 40), to: (20, 9)), Shape(from: (40, 7), to: (9, 20)), Shape(from: (2, 2), to: (3, 64)),
    Shape(from: (3, 4), to: (2, 5000)), Shape(from: (500, 3), to: (3, 2)), Shape(from: (3, 500), to: (2, 3)),
    Shape(from: (31, 17), to: (10, 6), part: .init(x: 3.25, y: 1.5, width: 20.5, height: 12.25)),
    Shape(from: (31, 17), to: (40, 30), part: .init(x: 30.5, y: 0, width: 0.5, height: 17)),
    Shape(from: (31, 17), to: (12, 5), part: .init(x: 0, y: 3.7, width: 31, height: 13.3)),
  ]

  static func pixels(_ width: Int, _ height: Int, _ alpha: Alpha, seed: UInt64) -> [SIMD4<UInt8>] {
    var numbers = SplitMix64(seed: seed)
    return (0..<width * height).map { index in
      let word = numbers.next()
      func byte(_ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> shift) }
      // Half of the values are extremes, so that the tests cover overshoot and rounding at the limits.
      var pixel = SIMD4(byte(0), byte(8), byte(16), byte(24))
      if byte(32) < 128 {
        pixel.replace(with: SIMD4(repeating: byte(40) < 128 ? 0 : 255), where: pixel .> 60)
      }
      switch alpha {
      case .opaque: pixel.w = 255
      case .mixed: break
      case .lateInTheImage: if index < width * height * 2 / 3 { pixel.w = 255 }
      case .mostlyTransparent: pixel.w = byte(48) < 200 ? 0 : byte(24)
      }
      return pixel
    }
  }

  static func resampled(
    _ source: [SIMD4<UInt8>], _ shape: Shape, filter: ResizeFilter, orientation: Orientation = .up
  ) -> [SIMD4<UInt8>] {
    let (size, output) = (shape.size, shape.output)
    var canvas = Canvas(output, byteCount: output.width * output.height * 4, orientation: orientation)
    var resampler = Resampler(shape.crop, of: size, to: output, filter: filter)
    let bytes = source.flatMap { [$0.x, $0.y, $0.z, $0.w] }
    for row in 0..<size.height {
      resampler.add(bytes[row * size.width * 4..<(row + 1) * size.width * 4], to: &canvas)
    }
    return stride(from: 0, to: canvas.pixels.count, by: 4).map {
      SIMD4(canvas.pixels[$0], canvas.pixels[$0 + 1], canvas.pixels[$0 + 2], canvas.pixels[$0 + 3])
    }
  }

  /// Compares a result with the reference. Every channel may differ by 1.
  static func check(_ shape: Shape, _ alpha: Alpha, _ filter: ResizeFilter, seed: UInt64) {
    let source = pixels(shape.size.width, shape.size.height, alpha, seed: seed)
    let result = resampled(source, shape, filter: filter)
    let reference = ResamplingReference(
      source: source, size: shape.size, part: shape.crop, output: shape.output, filter: filter)
    for y in 0..<shape.output.height {
      for x in 0..<shape.output.width {
        let (actual, expected) = (result[y * shape.output.width + x], reference.pixel(x, y))
        // At the limit of visibility, one of the two may be rounded to transparent.
        if min(actual.w, expected.w) == 0, max(actual.w, expected.w) <= 1 { continue }
        let difference = SIMD4<Int>(truncatingIfNeeded: actual) &- SIMD4<Int>(truncatingIfNeeded: expected)
        let largest = max(abs(difference.x), abs(difference.y), abs(difference.z), abs(difference.w))
        #expect(
          largest <= 1,
          "\(shape) \(alpha) \(filter) seed \(seed) at \(x),\(y): \(actual) instead of \(expected)")
      }
    }
  }

  @Test(arguments: shapes, ResizeFilter.allCases)
  func `pixels are equal to the definition of the filter`(_ shape: Shape, filter: ResizeFilter) {
    for alpha in Alpha.allCases { Self.check(shape, alpha, filter, seed: 5) }
  }

  @Test(arguments: 0..<32 as Range<UInt64>)
  func `random sizes are equal to the definition`(seed: UInt64) {
    var numbers = SplitMix64(seed: seed &+ 77)
    func side() -> Int { 1 + Int(numbers.next() % (numbers.next() % 4 == 0 ? 90 : 20)) }
    let shape = Shape(from: (side(), side()), to: (side(), side()))
    let fraction = { Double(numbers.next() % 1_000) / 1_000 }
    let (x, y) = (fraction() * Double(shape.size.width - 1), fraction() * Double(shape.size.height - 1))
    let width = 0.5 + fraction() * (Double(shape.size.width) - x - 0.5)
    let height = 0.5 + fraction() * (Double(shape.size.height) - y - 0.5)
    let cut = Shape(from: shape.from, to: shape.to, part: .init(x: x, y: y, width: width, height: height))
    let alpha = Alpha.allCases[Int(seed % 4)]
    for filter in ResizeFilter.allCases {
      Self.check(shape, alpha, filter, seed: seed)
      Self.check(cut, alpha, filter, seed: seed)
    }
  }

  @Test(arguments: ResizeFilter.allCases)
  func `extreme ratios are reduced`(filter: ResizeFilter) {
    // Slightly more than half is opaque. Both filters weight the middle at least as much as the rest.
    var source = [SIMD4<UInt8>](repeating: SIMD4(10, 90, 250, 255), count: 100_000)
    for index in 50_100..<100_000 { source[index] = .zero }
    for size in [(100_000, 1), (1, 100_000)] {
      let mean = Self.resampled(source, Shape(from: size, to: (1, 1)), filter: filter)
      #expect(mean == [SIMD4(10, 90, 250, 128)])
    }
  }

  @Test(arguments: ResizeFilter.allCases, shapes)
  func `a uniform color stays uniform`(filter: ResizeFilter, shape: Shape) {
    for color in [SIMD4<UInt8>(0, 127, 255, 255), SIMD4(1, 254, 128, 128), SIMD4(9, 9, 9, 1)] {
      let source = Array(repeating: color, count: shape.size.width * shape.size.height)
      let result = Self.resampled(source, shape, filter: filter)
      #expect(Set(result) == [color], "\(color)")
    }
  }

  @Test(arguments: ResizeFilter.allCases)
  func `the integer and the floating-point resampler agree`(filter: ResizeFilter) {
    // One pixel that is not opaque switches to the floating-point resampler from its row on.
    let shape = Shape(from: (160, 120), to: (50, 40))
    var source = Self.pixels(160, 120, .opaque, seed: 9)
    let opaque = Self.resampled(source, shape, filter: filter)
    for first in [0, 159, 60 * 160, 119 * 160 + 159] {
      let kept = source[first]
      source[first].w = 254
      let mixed = Self.resampled(source, shape, filter: filter)
      source[first] = kept
      for (a, b) in zip(opaque, mixed) {
        let difference = SIMD4<Int>(truncatingIfNeeded: a) &- SIMD4<Int>(truncatingIfNeeded: b)
        #expect(difference.clamped(lowerBound: SIMD4(repeating: -1), upperBound: .one) == difference)
      }
    }
  }

  @Test(arguments: Orientation.allCases, ResizeFilter.allCases)
  func `orientation only moves pixels`(orientation: Orientation, filter: ResizeFilter) {
    let shape = Shape(from: (31, 17), to: (9, 7))
    let source = Self.pixels(31, 17, .mixed, seed: 2)
    let upright = Self.resampled(source, shape, filter: filter)
    let rotated = Self.resampled(source, shape, filter: filter, orientation: orientation)
    let width = orientation.applied(to: shape.output).width
    for (index, pixel) in upright.enumerated() {
      let (x, y) = (index % 9, index / 9)
      let (column, row) =
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (8 - x, y)
        case .down: (8 - x, 6 - y)
        case .downMirrored: (x, 6 - y)
        case .leftMirrored: (y, x)
        case .right: (6 - y, x)
        case .rightMirrored: (6 - y, 8 - x)
        case .left: (y, 8 - x)
        }
      #expect(rotated[row * width + column] == pixel)
    }
  }
}

extension ResamplerTests.Shape {
  var size: PixelSize { PixelSize(width: from.0, height: from.1) }
  var output: PixelSize { PixelSize(width: to.0, height: to.1) }
  var crop: Framing.Crop { part ?? Framing.Crop(entire: size) }
}
