#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The curve of a fling on Android: the way as a function of time, both as shares from 0 to 1.
///
/// In AOSP, `android.widget.OverScroller` fills `SPLINE_POSITION` with 100 samples of a cubic Bézier curve. It runs
/// from (0, 0) to (1, 1) in the plane of time and way. Its control points are (`P1`, `START_TENSION`) and (`P2`,
/// `END_TENSION`):
/// - `START_TENSION` is 0.5, and `END_TENSION` is 1.
/// - `P1` is `START_TENSION` · `INFLEXION`, and `P2` is 1 − `END_TENSION` · (1 − `INFLEXION`).
///
/// With these values the curve has the parameter s from 0 to 1, and
/// - time = a·s + (1 − a)·s³, with a = 3·`P1`; the square terms cancel because `P2` is 2·`P1`,
/// - way = (3·s − s³) / 2.
///
/// Both have a closed inverse, so no table is needed. A phone draws lines between the samples, which deviate from the
/// curve by at most 0.008 % of the way, and rounds to whole pixels and milliseconds.
/// `Scripts/make-fling-references.py` computes the table.
enum FlingSpline {
  /// `INFLEXION` of `OverScroller`: the mean speed of a fling as a share of its first speed.
  static let inflexion = 0.35

  private static let linear = 1.5 * inflexion
  private static let cubic = 1 - linear

  /// Returns the share of the way after a share of the time.
  static func way(after time: Double) -> Double { way(at: parameter(at: time)) }

  /// Returns the speed after a share of the time, as a share of the first speed.
  static func speed(after time: Double) -> Double {
    let square = parameter(at: time) * parameter(at: time)
    // The ratio of the derivatives of way and time, and 1 at the start.
    return (1 - square) / (1 + 3 * cubic / linear * square)
  }

  /// Returns the share of the time after which a share of the way is travelled.
  static func time(toTravel way: Double) -> Double {
    // With s = 2·sin(x), the way is sin(3x).
    let parameter = 2 * sin(asin(min(max(0, way), 1)) / 3)
    return parameter * (linear + cubic * parameter * parameter)
  }

  private static func way(at parameter: Double) -> Double { parameter * (3 - parameter * parameter) / 2 }

  /// Returns the root of a·s + (1 − a)·s³ = `time`.
  private static func parameter(at time: Double) -> Double {
    // With s = scale·sinh(x), the left side is (1 − a)·scale³/4·sinh(3x).
    let scale = 2 * (linear / (3 * cubic)).squareRoot()
    return scale * sinh(asinh(4 * time / (cubic * scale * scale * scale)) / 3)
  }
}
