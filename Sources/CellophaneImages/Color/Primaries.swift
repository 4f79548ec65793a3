/// The primaries of an RGB space: XYZ of red, green and blue at full intensity, adapted to D50 as in ICC
/// profiles.
struct Primaries: Equatable {
  let red, green, blue: SIMD3<Double>

  init(red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates primaries from CIE 1931 xy coordinates, adapted from their white point to D50 with the Bradford
  /// matrix (ICC.1:2022, annex E). Returns nil if they do not span a space.
  init?(_ points: Chromaticities) {
    guard let red = Self.color(points.red), let green = Self.color(points.green),
      let blue = Self.color(points.blue), let white = Self.color(points.white),
      let intensities = Matrix3(red, green, blue).inverse.map({ $0 * white }),
      let restore = Self.bradford.inverse
    else { return nil }
    let gain = (Self.bradford * Self.d50) / (Self.bradford * white)
    func adapted(_ color: SIMD3<Double>) -> SIMD3<Double> { restore * (Self.bradford * color * gain) }
    self.init(
      red: adapted(red * intensities.x), green: adapted(green * intensities.y),
      blue: adapted(blue * intensities.z))
  }

  /// The white point of the profile connection space (ICC.1:2022, 7.2.16).
  private static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]
  private static let bradford = Matrix3(
    [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296])

  /// Returns the XYZ color of luminance 1 at `xy`, or nil if it does not exist.
  private static func color(_ xy: SIMD2<Double>) -> SIMD3<Double>? {
    guard xy.y > 0 else { return nil }
    return [xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y]
  }

  /// Returns true if no coordinate differs by more than 0.002, less than one of 255 levels. Early profiles
  /// have rounding errors of this size.
  func matches(_ other: Primaries) -> Bool {
    zip([red, green, blue], [other.red, other.green, other.blue]).allSatisfy { one, other in
      (0..<3).allSatisfy { abs(one[$0] - other[$0]) <= 0.002 }
    }
  }

  /// True if the gamut is wide. See ``ColorProfile/isWideGamut`` for the reason for the factor.
  var isWideGamut: Bool {
    guard let area, let standard = RGBSpace.sRGB.primaries.area else { return false }
    return area >= 1.2 * standard
  }

  /// The area of the triangle in xy; nil if a corner is undefined.
  private var area: Double? {
    let corners = [red, green, blue].map { SIMD2($0.x, $0.y) / $0.sum() }
    let (one, other) = (corners[1] - corners[0], corners[2] - corners[0])
    let area = abs(one.x * other.y - one.y * other.x) / 2
    return area.isFinite ? area : nil
  }
}

/// Primaries and white point in CIE 1931 xy.
struct Chromaticities {
  let red, green, blue, white: SIMD2<Double>

  /// Daylight of 6 504 K, the white point of screens (ITU-R BT.709).
  static let d65: SIMD2<Double> = [0.3127, 0.3290]
}
