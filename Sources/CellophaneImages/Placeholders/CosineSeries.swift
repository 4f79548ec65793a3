#if canImport(Glibc)
  internal import Glibc
#else
  internal import Foundation
#endif

/// A picture as a sum of products of two cosines, one along each axis.
///
/// The sum is separable. Each row of pixels first sums the terms along its column, and each pixel then sums one term
/// for each frequency along the row.
struct CosineSeries {
  /// The number of frequencies along a row.
  let columns: Int
  /// The number of frequencies along a column.
  let rows: Int
  /// The position of the sample within its pixel: 0 at the left and upper edge, 0.5 in the center.
  private let phase: Double
  /// The coefficients of red, green, blue and alpha. The index of a term is `row * columns + column`.
  var coefficients: [SIMD4<Float>]

  /// Creates a series whose coefficients are 0.
  init(columns: Int, rows: Int, phase: Double) {
    (self.columns, self.rows, self.phase) = (columns, rows, phase)
    coefficients = Array(repeating: .zero, count: columns * rows)
  }

  /// Returns the pixels of a picture of `size`.
  ///
  /// - Parameters:
  ///   - size: The size of the picture; see ``check(_:of:)``.
  ///   - pixel: Converts the sum for one pixel to its bytes.
  @inline(__always)
  func pixels(_ size: PixelSize, _ pixel: (SIMD4<Float>) -> SIMD4<UInt8>) -> [UInt8] {
    var result: [UInt8] = Array(repeating: 0, count: size.width * size.height * 4)
    let across = Self.cosines(columns, length: size.width, phase: phase)
    let down = Self.cosines(rows, length: size.height, phase: phase)
    var line: [SIMD4<Float>] = Array(repeating: .zero, count: columns)
    var bytes = result.mutableSpan
    var offset = 0
    for y in 0..<size.height {
      for column in 0..<columns {
        var sum = coefficients[column]
        for row in 1..<rows { sum += coefficients[row * columns + column] * down[y * rows + row] }
        line[column] = sum
      }
      let (line, across) = (line.span, across.span)
      for x in 0..<size.width {
        var sum = line[0]
        for column in 1..<columns { sum += line[column] * across[x * columns + column] }
        bytes.store(pixel(sum), at: offset)
        offset += 4
      }
    }
    return result
  }

  /// Returns cos(π k (x + phase) / length) for each position x and, next to each other, each frequency k.
  ///
  /// The frequencies above 1 follow from Chebyshev's recurrence: cos(kα) = 2 cos(α) cos((k - 1)α) - cos((k - 2)α).
  /// In double precision, its error for nine frequencies is far below that of a single-precision result.
  private static func cosines(_ count: Int, length: Int, phase: Double) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(count * length)
    for position in 0..<length {
      let cosine = cos(Double.pi * (Double(position) + phase) / Double(length))
      var (current, next) = (1.0, cosine)
      for _ in 0..<count {
        result.append(Float(current))
        (current, next) = (next, 2 * cosine * next - current)
      }
    }
    return result
  }
}

extension CosineSeries {
  /// The maximum width and height of a decoded placeholder. 1024: a placeholder has at most nine frequencies along a
  /// side, so more pixels show no more detail. A decoding of this size allocates 4 MiB.
  static let maximumSide = 1024

  /// Checks the size of a decoded placeholder.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a side is not in 1...``maximumSide``.
  static func check(_ size: PixelSize, of format: String) throws(LoadError) {
    guard (1...maximumSide).contains(size.width), (1...maximumSide).contains(size.height) else {
      throw LoadError(
        .invalidRequest,
        "a \(format) cannot be decoded to \(size.width)x\(size.height) pixels; choose sides from 1 to "
          + "\(maximumSide) and resize the result")
    }
  }
}
