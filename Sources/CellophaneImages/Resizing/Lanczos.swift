#if canImport(Glibc)
  internal import Glibc
#else
  internal import Foundation
#endif

/// The Lanczos kernel with three lobes on each side: sinc(x) * sinc(x / 3), where sinc(x) = sin(πx) / (πx).
///
/// Source: Duchon, Lanczos Filtering in One and Two Dimensions, Journal of Applied Meteorology 18, 1979.
enum Lanczos {
  static let lobes = 3.0

  /// Returns the kernel at `x` in -3...3.
  static func weight(at x: Double) -> Double {
    sinc(x) * sinc(x / lobes)
  }

  private static func sinc(_ x: Double) -> Double {
    let angle = Double.pi * x
    return abs(angle) < nearZero ? 1 : sin(angle) / angle
  }

  /// Below 1e-8, sin(x) / x is exactly 1 in double precision.
  private static let nearZero = 1e-8

  /// Returns the kernel at `distances`, which are `x` and the next seven numbers with a step of 1.
  ///
  /// It computes only one sine and one cosine: sin(a + kπ/3) follows from sin(a) and cos(a), and sin(3a) is
  /// 3 sin(a) - 4 sin³(a).
  static func weights(from x: Double, _ distances: SIMD8<Double>) -> SIMD8<Double> {
    let angle = Double.pi * x / lobes
    let (sine, cosine) = (sin(angle), cos(angle))
    let slow = cosines * sine + sines * cosine
    let fast = signs * (sine * (3 - 4 * sine * sine))
    let angles = distances * Double.pi
    let weights = slow * fast * lobes / (angles * angles)
    let isNearZero = angles .< nearZero .& angles .> -nearZero
    return weights.replacing(with: 1, where: isNearZero)
  }

  // cos(kπ/3), sin(kπ/3) and cos(kπ).
  private static let cosines = SIMD8(1, 0.5, -0.5, -1, -0.5, 0.5, 1, 0.5)
  private static let sines = SIMD8(
    0, 0.75.squareRoot(), 0.75.squareRoot(), 0, -0.75.squareRoot(), -0.75.squareRoot(), 0, 0.75.squareRoot())
  private static let signs = SIMD8<Double>(1, -1, 1, -1, 1, -1, 1, -1)
}
