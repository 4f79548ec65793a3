extension Primaries {
  /// The primaries of IEC 61966-2-1 and ITU-R BT.709.
  static let sRGB = Primaries(
    red: [0.4361, 0.2225, 0.0139], green: [0.3851, 0.7169, 0.0971], blue: [0.1431, 0.0606, 0.7141])
  /// The primaries of SMPTE EG 432-1, with the white point D65.
  static let p3 = Primaries(
    red: [0.5151, 0.2412, -0.0011], green: [0.2920, 0.6922, 0.0419], blue: [0.1571, 0.0666, 0.7841])
  /// The primaries of Adobe RGB (1998) Color Image Encoding.
  static let adobeRGB = Primaries(
    red: [0.6097, 0.3111, 0.0195], green: [0.2053, 0.6257, 0.0609], blue: [0.1492, 0.0632, 0.7446])
  /// The primaries of ISO 22028-2.
  static let proPhoto = Primaries(
    red: [0.7977, 0.2880, 0], green: [0.1352, 0.7119, 0], blue: [0.0313, 0.0001, 0.8249])
  /// The primaries of ITU-R BT.2020 and BT.2100.
  static let bt2020 = Primaries(
    red: [0.6735, 0.2790, -0.0019], green: [0.1657, 0.6753, 0.0300], blue: [0.1251, 0.0456, 0.7969])

  /// Returns the primaries of a code point in ITU-T H.273, table 2; nil for code points that screens do not
  /// use.
  init?(codePoint: UInt8) {
    switch codePoint {
    case 1: self = .sRGB
    case 9: self = .bt2020
    case 12: self = .p3
    case 5:
      self.init(
        Chromaticities(
          red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06], white: Chromaticities.d65))
    case 6, 7:
      self.init(
        Chromaticities(
          red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070], white: Chromaticities.d65))
    case 11:
      self.init(
        Chromaticities(
          red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351]))
    default: return nil
    }
  }
}

extension TransferFunction {
  /// Returns the function of a code point in ITU-T H.273, table 3; nil for code points that screens do not
  /// use.
  init?(codePoint: UInt8) {
    switch codePoint {
    case 1, 6, 14, 15: self = .bt709
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .gamma(1)
    case 13: self = .sRGB
    case 16: self = .pq
    case 18: self = .hlg
    default: return nil
    }
  }
}
