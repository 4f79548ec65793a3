/// Conversions between the levels of sRGB, 0...255, and linear light, 0...1, by tables.
struct SRGBLevels: Sendable {
  /// The tables, computed once.
  static let shared = SRGBLevels()

  /// The light of each level.
  let light: [Double]
  /// The least light that is nearest to each level, and infinity at the end.
  private let thresholds: [Float]
  /// The level of the least light of each of ``buckets``.
  private let levels: [UInt8]

  /// The number of equal parts of 0...1. 4096: sRGB has at most 12.92 * 255 = 3295 levels in a unit of light (IEC
  /// 61966-2-1, near black), so a part contains at most one threshold.
  private static let buckets = 4096

  private init() {
    func light(_ level: Double) -> Double { TransferFunction.sRGB.light(level / 255) ?? 0 }
    self.light = (0...255).map { light(Double($0)) }
    let thresholds = [0] + (1...255).map { Float(light(Double($0) - 0.5)) } + [.infinity]
    self.thresholds = thresholds
    var level = 0
    levels = (0...Self.buckets).map { bucket in
      while Float(bucket) / Float(Self.buckets) >= thresholds[level + 1] { level += 1 }
      return UInt8(level)
    }
  }

  /// Returns the level that is nearest to `light` in sRGB. Light outside of 0...1 is clamped; NaN is black.
  @inline(__always)
  func level(of light: Float) -> UInt8 {
    let light = light > 0 ? min(light, 1) : 0
    var level = levels[Int(light * Float(Self.buckets))]
    while light >= thresholds[Int(level) + 1] { level += 1 }
    return level
  }
}
