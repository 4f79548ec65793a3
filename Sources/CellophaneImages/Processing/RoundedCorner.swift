#if canImport(Glibc)
  internal import Glibc
#else
  internal import Foundation
#endif

/// The coverage of the pixels at a corner by a quarter of a circle.
///
/// The center of the circle is `radius` from both edges of the image. Coordinates x and y are distances from the
/// center towards the edges.
struct RoundedCorner {
  let radius: Double

  /// The number of rows, and of columns, from the edge that the circle may cover in part.
  var reach: Int { Int(radius.rounded(.up)) }

  /// Returns the covered parts, 0...1, of the first pixels in a row of an image. All further pixels up to the middle
  /// are covered completely.
  ///
  /// - Parameters:
  ///   - row: The distance of the row from the edge, less than ``reach``.
  ///   - width: The width of the image, at least twice the radius.
  ///   - height: The height of the image, at least twice the radius.
  func shares(inRow row: Int, width: Int, height: Int) -> [Double] {
    let bottom = max(radius - Double(row + 1), 0)
    let top = radius - Double(row)
    var shares: [Double] = []
    for column in 0..<reach {
      let left = max(radius - Double(column + 1), 0)
      let right = radius - Double(column)
      if right * right + top * top <= radius * radius { break }
      if left * left + bottom * bottom >= radius * radius {
        shares.append(0)
        continue
      }
      let inside = area(x: left, right, y: bottom, top)
      var missing = (right - left) * (top - bottom) - inside
      // The pixels in the middle of an odd side belong to two corners.
      if column == width - 1 - column { missing *= 2 }
      if row == height - 1 - row { missing *= 2 }
      shares.append(min(max(1 - missing, 0), 1))
    }
    return shares
  }

  /// Returns the area of the box from (`left`, `bottom`) to (`right`, `top`) within the circle. No coordinate is
  /// negative.
  ///
  /// The area is the integral of min(√(r² - x²), top) - bottom over the columns where it is positive.
  private func area(x left: Double, _ right: Double, y bottom: Double, _ top: Double) -> Double {
    let filled = min(max(halfChord(at: top), left), right)
    let end = min(max(halfChord(at: bottom), left), right)
    return (filled - left) * (top - bottom) + integral(to: end) - integral(to: filled)
      - bottom * (end - filled)
  }

  /// Returns √(r² - x²), or 0 outside of the circle.
  private func halfChord(at x: Double) -> Double { max(radius * radius - x * x, 0).squareRoot() }

  /// Returns the integral of √(r² - x²) from 0 to `x`: (x √(r² - x²) + r² asin(x / r)) / 2.
  private func integral(to x: Double) -> Double {
    (x * halfChord(at: x) + radius * radius * asin(min(x / radius, 1))) / 2
  }
}
