/// The fields of the format. Bits are counted from the least significant one of the first byte.
///
/// | bits     | field                                                                          |
/// |----------|--------------------------------------------------------------------------------|
/// | 0...5    | mean of lightness                                                              |
/// | 6...11   | mean of yellow minus blue                                                      |
/// | 12...17  | mean of red minus green                                                        |
/// | 18...22  | scale of the coefficients of lightness                                         |
/// | 23       | 1 if the image has alpha                                                       |
/// | 24...26  | frequencies of lightness along the shorter side                                |
/// | 27...32  | scale of the coefficients of yellow minus blue                                 |
/// | 33...38  | scale of the coefficients of red minus green                                   |
/// | 39       | 1 if the image is wider than high                                              |
/// | 40...43  | mean of alpha, only with alpha                                                 |
/// | 44...47  | scale of the coefficients of alpha, only with alpha                            |
/// | then     | the coefficients, 4 bits each: lightness, yellow minus blue, red minus green, alpha |
extension ThumbHash {
  /// The bytes of a header without alpha.
  static let minimumHeaderBytes = 5
  /// The frequencies along each side of yellow minus blue, and of red minus green.
  static let colorTerms = (columns: 3, rows: 3)
  /// The frequencies along each side of alpha.
  static let alphaTerms = (columns: 5, rows: 5)
  /// The minimum number of frequencies along a side of lightness.
  static let minimumTerms = 3

  /// The number of frequencies along the longer side of lightness. Images with alpha have fewer, so that both kinds
  /// have about the same number of bytes.
  static func longerTerms(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

  /// The terms of a channel in their order in the bytes, without the mean.
  ///
  /// They are the terms below the diagonal of the table of frequencies: column / columns + row / rows < 1.
  static func terms(_ size: (columns: Int, rows: Int)) -> [(column: Int, row: Int)] {
    (0..<size.rows).flatMap { row in
      (0..<size.columns).lazy
        .filter { $0 * size.rows < size.columns * (size.rows - row) && ($0 > 0 || row > 0) }
        .map { (column: $0, row: row) }
    }
  }

  var hasAlpha: Bool { bytes[2] & 0x80 != 0 }
  var isLandscape: Bool { bytes[4] & 0x80 != 0 }
  var headerBytes: Int { Self.minimumHeaderBytes + (hasAlpha ? 1 : 0) }
  var longerTerms: Int { Self.longerTerms(hasAlpha: hasAlpha) }
  /// The number of frequencies along the shorter side, before the minimum is applied. It determines the aspect ratio.
  var shorterTerms: Int { Int(bytes[3] & 7) }

  /// The frequencies of lightness.
  var lightnessTerms: (columns: Int, rows: Int) {
    let shorter = max(shorterTerms, Self.minimumTerms)
    return isLandscape ? (longerTerms, shorter) : (shorter, longerTerms)
  }

  /// The number of bytes of a placeholder with this header.
  var impliedByteCount: Int {
    let nibbles =
      Self.terms(lightnessTerms).count + 2 * Self.terms(Self.colorTerms).count
      + (hasAlpha ? Self.terms(Self.alphaTerms).count : 0)
    return headerBytes + (nibbles + 1) / 2
  }

  /// The first 40 bits.
  private var header: UInt64 { bytes.prefix(5).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  private func field(_ first: Int, bits: Int) -> Float {
    Float(header >> UInt64(first) & (1 << UInt64(bits) - 1))
  }

  /// The mean of lightness, 0...1.
  var lightnessMean: Float { field(0, bits: 6) / 63 }
  /// The mean of yellow minus blue, -1...1.
  var yellowMean: Float { field(6, bits: 6) / 31.5 - 1 }
  /// The mean of red minus green, -1...1.
  var redMean: Float { field(12, bits: 6) / 31.5 - 1 }
  /// The mean of alpha, 0...1.
  var alphaMean: Float { hasAlpha ? Float(bytes[5] & 15) / 15 : 1 }
  var lightnessScale: Float { field(18, bits: 5) / 31 }
  var yellowScale: Float { field(27, bits: 6) / 63 }
  var redScale: Float { field(33, bits: 6) / 63 }
  var alphaScale: Float { hasAlpha ? Float(bytes[5] >> 4) / 15 : 0 }

  /// Returns the coefficient `index`, -1...1.
  func coefficient(_ index: Int) -> Float {
    let byte = bytes[headerBytes + index / 2]
    return Float(index % 2 == 0 ? byte & 15 : byte >> 4) / 7.5 - 1
  }
}
