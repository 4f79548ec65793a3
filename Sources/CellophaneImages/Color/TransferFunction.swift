#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The function from a stored value to linear light. Both have the range 0...1.
enum TransferFunction: Equatable {
  /// (a x + b)^g + e for x >= d, c x + f otherwise: the most general parametric curve of ICC (ICC.1:2022,
  /// 10.18).
  case parametric(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
  /// A table of at least two equally spaced values in 0...65535.
  case sampled([UInt16])
  /// The HDR function PQ (SMPTE ST 2084).
  case pq
  /// The HDR function HLG (ARIB STD-B67).
  case hlg

  static func gamma(_ g: Double) -> TransferFunction {
    .parametric(g: g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
  }

  /// The function of IEC 61966-2-1.
  static let sRGB = parametric(
    g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0)
  /// The inverse of ITU-R BT.709, item 1.2. ITU-R BT.2020 has the same function.
  static let bt709 = parametric(g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0)

  /// Returns the light for `x` in 0...1, or nil for HDR functions, whose light exceeds white.
  func light(_ x: Double) -> Double? {
    switch self {
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      return x >= d ? pow(a * x + b, g) + e : c * x + f
    case .sampled(let values):
      let position = x * Double(values.count - 1)
      let index = min(Int(position), values.count - 2)
      let (lower, upper) = (Double(values[index]), Double(values[index + 1]))
      return (lower + (upper - lower) * (position - Double(index))) / 65_535
    case .pq, .hlg: return nil
    }
  }

  /// Returns true if no level of 0...255 differs from that of `other` by more than `tolerance`.
  ///
  /// The light is compared in sRGB encoding, where equal steps look equal.
  func matches(_ other: TransferFunction, tolerance: Double) -> Bool {
    (0...255).allSatisfy { level in
      let x = Double(level) / 255
      guard let one = light(x), let other = other.light(x) else { return false }
      return abs(Self.encoded(one) - Self.encoded(other)) * 255 <= tolerance
    }
  }

  /// Returns the sRGB encoding of linear light.
  private static func encoded(_ light: Double) -> Double {
    light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }
}
