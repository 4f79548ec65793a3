#if canImport(Glibc)
  internal import Glibc
#else
  internal import Foundation
#endif

/// The lowest frequencies of a discrete cosine transform, for four channels at once.
///
/// Each coefficient is summed in the order of the pixels, as in the reference implementation of ThumbHash. A separable
/// sum would be faster, but it has other rounding errors. These decide the bits of coefficients that are exactly
/// between two levels, as in all symmetric images.
struct CosineTransform {
  /// The number of frequencies along a row.
  let columns: Int
  /// The means of the products of pixels and cosines. The index of a coefficient is `row * columns + column`.
  private(set) var coefficients: [SIMD4<Double>]

  /// Creates the transform of `pixels` in rows of `width`.
  init(_ pixels: [SIMD4<Double>], width: Int, columns: Int, rows: Int) {
    self.columns = columns
    coefficients = Array(repeating: .zero, count: columns * rows)
    let height = pixels.count / width
    let across = Self.cosines(columns, length: width)
    let down = Self.cosines(rows, length: height)
    var sums = coefficients.mutableSpan
    let (values, horizontal, vertical) = (pixels.span, across.span, down.span)
    for y in 0..<height {
      for x in 0..<width {
        let value = values[y * width + x]
        for column in 0..<columns {
          let product = value * horizontal[x * columns + column]
          // Only terms below the diagonal are used; see `ThumbHash.terms(_:)`. These are a superset of them.
          for row in 0..<rows - column * rows / columns {
            sums[row * columns + column] += product * vertical[y * rows + row]
          }
        }
      }
    }
    for index in sums.indices { sums[index] /= Double(pixels.count) }
  }

  /// Returns cos(π k (x + 1/2) / length) for each position x and, next to each other, each frequency k.
  private static func cosines(_ count: Int, length: Int) -> [Double] {
    (0..<length).flatMap { position in
      (0..<count).map { cos(Double.pi / Double(length) * Double($0) * (Double(position) + 0.5)) }
    }
  }
}
