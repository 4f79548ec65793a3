/// The red, green and blue of a space: their XYZ at full strength, adapted to D50, as ICC profiles store them.
struct Primaries: Equatable {
  let red, green, blue: SIMD3<Double>

  init(red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Primaries from coordinates in CIE 1931 xy, adapted from their white to D50 with Bradford's matrix
  /// (ICC.1:2022, annex E). Nil when they do not span a space.
  init?(_ points: Chromaticities) {
    guard let red = Self.color(points.red), let green = Self.color(points.green),
      let blue = Self.color(points.blue), let white = Self.color(points.white),
      let strengths = Matrix3(red, green, blue).inverse.map({ $0 * white }),
      let restore = Self.bradford.inverse
    else { return nil }
    let gain = (Self.bradford * Self.d50) / (Self.bradford * white)
    func adapted(_ color: SIMD3<Double>) -> SIMD3<Double> { restore * (Self.bradford * color * gain) }
    self.init(
      red: adapted(red * strengths.x), green: adapted(green * strengths.y), blue: adapted(blue * strengths.z))
  }

  /// The white of the ICC's connection space (ICC.1:2022, 7.2.16).
  private static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]
  private static let bradford = Matrix3(
    [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296])

  /// A colour of brightness 1; nil when there is none at these coordinates.
  private static func color(_ xy: SIMD2<Double>) -> SIMD3<Double>? {
    guard xy.y > 0 else { return nil }
    return [xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y]
  }

  /// True when no coordinate is off by more than 0.002, what the rounding of early profiles amounts to: less
  /// than one of 255 levels.
  func matches(_ other: Primaries) -> Bool {
    zip([red, green, blue], [other.red, other.green, other.blue]).allSatisfy { one, other in
      (0..<3).allSatisfy { abs(one[$0] - other[$0]) <= 0.002 }
    }
  }

  /// See ``ColorProfile/isWideGamut``, where the factor has its reason.
  var isWideGamut: Bool {
    guard let area, let standard = RGBSpace.sRGB.primaries.area else { return false }
    return area >= 1.2 * standard
  }

  /// The area of the triangle in xy; nil when a corner lies nowhere.
  private var area: Double? {
    let corners = [red, green, blue].map { SIMD2($0.x, $0.y) / $0.sum() }
    let (one, other) = (corners[1] - corners[0], corners[2] - corners[0])
    let area = abs(one.x * other.y - one.y * other.x) / 2
    return area.isFinite ? area : nil
  }
}

/// Primaries and white in CIE 1931 xy.
struct Chromaticities {
  let red, green, blue, white: SIMD2<Double>

  /// Daylight of 6 504 K, the white of screens (ITU-R BT.709).
  static let d65: SIMD2<Double> = [0.3127, 0.3290]
}
