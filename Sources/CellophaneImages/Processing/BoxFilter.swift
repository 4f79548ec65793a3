/// A box filter that, applied three times, approximates a Gaussian.
///
/// The box has `2 * reach + 1` complete pixels and one pixel with the weight ``edge`` at each end, so that three boxes
/// have exactly the variance of the Gaussian. Source: Gwosdek et al., Theoretical Foundations of Gaussian
/// Convolution by Extended Box Filtering, SSVM 2011.
struct BoxFilter: Equatable {
  /// The number of complete pixels on each side of the center.
  let reach: Int
  /// The weight of the pixels at distance `reach + 1`, from 0 to 1.
  let edge: Float

  /// The largest standard deviation. 16 384: the sum of a box of 16-bit values then fits in 32 bits.
  private static let maximumDeviation = 16_384.0

  /// Creates a filter. Returns nil if it has no effect.
  ///
  /// - Parameter deviation: The standard deviation of the Gaussian in pixels.
  init?(deviation: Double) {
    guard deviation > 0 else { return nil }
    let deviation = min(deviation, Self.maximumDeviation)
    // A box of odd width w has the variance (w² - 1) / 12.
    let variance = deviation * deviation / 3
    let reach = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
    // The weight e solves: (reach (reach + 1) (2 reach + 1) / 3 + 2 e (reach + 1)²) / (2 reach + 1 + 2 e) = variance.
    let next = (reach + 1) * (reach + 1)
    let edge = (2 * reach + 1) * (3 * variance - reach * (reach + 1)) / (6 * (next - variance))
    self.reach = Int(reach)
    self.edge = Float(min(max(edge, 0), 1))
    if self.reach == 0, self.edge == 0 { return nil }
  }

  /// The sum of all weights.
  var total: Float { Float(2 * reach + 1) + 2 * edge }
}
