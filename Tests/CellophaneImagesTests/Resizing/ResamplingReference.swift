@testable internal import CellophaneImages

/// A reference for resampling, written for clarity instead of speed.
///
/// It computes every pixel of the result in floating point from the definition of the filter, without passes
/// and tables.
struct ResamplingReference {
  let source: [SIMD4<UInt8>]
  let size: PixelSize
  let part: Framing.Crop
  let output: PixelSize
  let filter: ResizeFilter

  func pixel(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
    let across = weights(x, start: part.x, length: part.width, count: output.width, limit: size.width)
    let down = weights(y, start: part.y, length: part.height, count: output.height, limit: size.height)
    var sum = SIMD4<Double>.zero
    for (row, height) in down {
      for (column, width) in across {
        let pixel = SIMD4<Double>(source[row * size.width + column])
        sum += pixel * SIMD4(pixel.w / 255, pixel.w / 255, pixel.w / 255, 1) * (height * width)
      }
    }
    guard sum.w >= 0.5 else { return .zero }
    let mean = SIMD4(sum.x * 255 / sum.w, sum.y * 255 / sum.w, sum.z * 255 / sum.w, sum.w)
    let level = mean.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(
      .toNearestOrAwayFromZero)
    return SIMD4(UInt8(level.x), UInt8(level.y), UInt8(level.z), UInt8(level.w))
  }

  /// Returns the pixels of the source with their weights. The sum of the weights is 1.
  private func weights(_ index: Int, start: Double, length: Double, count: Int, limit: Int) -> [(Int, Double)]
  {
    let scale = length / Double(count)
    let center = start + scale * (Double(index) + 0.5)
    let reach = max(scale, 1) * 4 + 2
    let near = max(0, Int(center - reach))..<min(limit, Int(center + reach) + 1)
    let all = near.map { pixel -> (Int, Double) in
      let distance = Double(pixel) + 0.5 - center
      switch filter {
      case .area where scale >= 1:
        return (pixel, max(0, min(distance + 0.5, scale / 2) - max(distance - 0.5, -scale / 2)))
      case .area: return (pixel, max(0, 1 - abs(distance)))
      case .lanczos3: return (pixel, Self.lanczos(distance / max(scale, 1)))
      }
    }
    let sum = all.reduce(0) { $0 + $1.1 }
    return all.map { ($0, $1 / sum) }
  }

  private static func lanczos(_ x: Double) -> Double {
    guard x != 0 else { return 1 }
    guard abs(x) < 3 else { return 0 }
    let angle = Double.pi * x
    return 3 * sine(angle) * sine(angle / 3) / (angle * angle)
  }

  /// Returns the sine from its series for |x| < 10, so that the reference shares no code with the tested
  /// type.
  private static func sine(_ x: Double) -> Double {
    var (term, sum, n) = (x, x, 1.0)
    while abs(term) > 1e-18 {
      term *= -x * x / ((n + 1) * (n + 2))
      sum += term
      n += 2
    }
    return sum
  }
}
