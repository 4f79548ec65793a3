/// Four adjacent rows or columns of an image while they are blurred.
///
/// Each element holds one pixel of every line: color times alpha, and 255 times alpha. Both are in 0...65 025, so that
/// the colors of nearly transparent pixels keep their precision.
struct BlurredLines {
  private typealias Pixels = SIMD16<Int32>

  private var lines: [Pixels]
  private var filtered: [Pixels]

  /// The number of lines in an element.
  private static let linesAtOnce = 4

  /// Creates the buffers for lines of `count` pixels.
  init(count: Int) {
    lines = Array(repeating: .zero, count: count)
    filtered = lines
  }

  /// Blurs lines in place.
  ///
  /// - Parameters:
  ///   - bytes: The pixels of the image.
  ///   - count: The number of lines.
  ///   - along: The distance in bytes between two pixels of a line.
  ///   - across: The distance in bytes between two lines.
  ///   - filter: The box filter, which is applied three times.
  /// - Throws: ``LoadError/cancelled``.
  mutating func blur(
    _ bytes: inout MutableSpan<UInt8>, lines count: Int, along: Int, across: Int, by filter: BoxFilter
  ) throws(LoadError) {
    for first in stride(from: 0, to: count, by: Self.linesAtOnce) {
      try LoadError.throwIfCancelled()
      // The last lines are repeated if fewer than four are left.
      let indices = SIMD4(0, 1, 2, 3) &+ first
      let offsets = indices.replacing(with: count - 1, where: indices .> count - 1) &* across
      load(bytes.span, offsets, along)
      Self.apply(filter, from: lines, to: &filtered)
      Self.apply(filter, from: filtered, to: &lines)
      Self.apply(filter, from: lines, to: &filtered)
      store(to: &bytes, offsets, along)
    }
  }
}

extension BlurredLines {
  private mutating func load(_ bytes: Span<UInt8>, _ offsets: SIMD4<Int>, _ along: Int) {
    var lines = lines.mutableSpan
    var start = 0
    for index in lines.indices {
      lines[index] = Pixels(
        lowHalf: SIMD8(
          lowHalf: Self.weighted(bytes.pixel(at: offsets.x &+ start)),
          highHalf: Self.weighted(bytes.pixel(at: offsets.y &+ start))),
        highHalf: SIMD8(
          lowHalf: Self.weighted(bytes.pixel(at: offsets.z &+ start)),
          highHalf: Self.weighted(bytes.pixel(at: offsets.w &+ start))))
      start += along
    }
  }

  private func store(to bytes: inout MutableSpan<UInt8>, _ offsets: SIMD4<Int>, _ along: Int) {
    let filtered = filtered.span
    var start = 0
    for index in filtered.indices {
      let pixels = filtered[index]
      bytes.store(Self.straight(pixels.lowHalf.lowHalf), at: offsets.x &+ start)
      bytes.store(Self.straight(pixels.lowHalf.highHalf), at: offsets.y &+ start)
      bytes.store(Self.straight(pixels.highHalf.lowHalf), at: offsets.z &+ start)
      bytes.store(Self.straight(pixels.highHalf.highHalf), at: offsets.w &+ start)
      start += along
    }
  }

  /// Returns the colors and 255, times alpha.
  private static func weighted(_ pixel: SIMD4<UInt8>) -> SIMD4<Int32> {
    let values = SIMD4<Int32>(truncatingIfNeeded: pixel)
    var result = values
    result.w = 255
    return result &* values.w
  }

  /// Returns the pixel with straight alpha. A pixel whose alpha is rounded to 0 is transparent black.
  private static func straight(_ weighted: SIMD4<Int32>) -> SIMD4<UInt8> {
    guard weighted.w > 127 else { return .zero }
    let values = SIMD4<Float>(weighted)
    var scale = SIMD4(repeating: 255 / values.w)
    scale.w = 1 / 255
    return SIMD4<UInt8>(truncatingIfNeeded: rounded(values * scale))
  }

  /// Converts integers to floats in quarters, for which the compiler emits one instruction each.
  @inline(__always)
  private static func floats(_ values: Pixels) -> SIMD16<Float> {
    SIMD16(
      lowHalf: SIMD8(
        lowHalf: SIMD4<Float>(values.lowHalf.lowHalf), highHalf: SIMD4<Float>(values.lowHalf.highHalf)),
      highHalf: SIMD8(
        lowHalf: SIMD4<Float>(values.highHalf.lowHalf), highHalf: SIMD4<Float>(values.highHalf.highHalf)))
  }

  /// 2^23. The sum of this number and one in 0...2^22 is rounded to an integer, which is in its lowest 23 bits. The
  /// conversions of the standard library check the range of each number and take several times as long.
  private static let integerBase: Float = 8_388_608

  /// Rounds numbers in 0...2^22 to integers. The bits of a float are read, which is valid for every value.
  @inline(__always)
  private static func rounded(_ values: SIMD16<Float>) -> Pixels {
    unsafe unsafeBitCast(values + integerBase, to: Pixels.self) & 0x7F_FFFF
  }

  /// Rounds numbers in 0...2^22 to integers.
  @inline(__always)
  private static func rounded(_ values: SIMD4<Float>) -> SIMD4<Int32> {
    unsafe unsafeBitCast(values + integerBase, to: SIMD4<Int32>.self) & 0x7F_FFFF
  }

  /// Applies a box filter. Beyond both ends, the lines are continued by their outermost pixels.
  private static func apply(_ filter: BoxFilter, from source: [Pixels], to result: inout [Pixels]) {
    let source = source.span
    var result = result.mutableSpan
    let (reach, last) = (filter.reach, source.count - 1)
    let scale = 1 / filter.total
    let edgeScale = scale * filter.edge
    // The sum of the box around the first pixel.
    var sum = source[0] &* Int32(reach + 1) &+ source[last] &* Int32(max(reach - last, 0))
    for index in 0..<min(reach, last) { sum &+= source[index + 1] }
    for index in 0...last {
      let before = source[max(index - reach - 1, 0)]
      let after = source[min(index + reach + 1, last)]
      result[index] = rounded(floats(sum) * scale + floats(before &+ after) * edgeScale)
      sum &+= after &- source[max(index - reach, 0)]
    }
  }
}
