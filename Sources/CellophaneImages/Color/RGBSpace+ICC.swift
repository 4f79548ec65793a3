extension RGBSpace {
  /// Returns an ICC profile (ICC.1:2022, version 4.4) of this space; nil for HDR and for values that a profile
  /// cannot represent.
  func icc(named name: String) -> [UInt8]? {
    let points = [primaries.red, primaries.green, primaries.blue].map { [$0.x, $0.y, $0.z] }
    let colorants = points.compactMap(Self.point)
    let curves = transfer.compactMap(\.icc)
    guard colorants.count == 3, curves.count == 3 else { return nil }
    let white = Self.fixed([0.9642, 1, 0.8249]) ?? []
    let tags =
      [("desc", Self.text(name.isEmpty ? "RGB" : name)), ("cprt", Self.text("No copyright"))]
      + [("wtpt", Array("XYZ \0\0\0\0".utf8) + white)]
      + Array(zip(["rXYZ", "gXYZ", "bXYZ"], colorants)) + Array(zip(["rTRC", "gTRC", "bTRC"], curves))
    var (directory, content) = (bytes(of: tags.count), [UInt8]())
    let start = 132 + tags.count * 12
    for (name, value) in tags {
      directory += Array(name.utf8) + bytes(of: start + content.count) + bytes(of: value.count)
      content += value + [UInt8](repeating: 0, count: -value.count & 3)
    }
    // The profile of a screen, from RGB to XYZ. Other fields of the header are zero: no creator, no date,
    // perceptual intent.
    return bytes(of: start + content.count) + [0, 0, 0, 0, 4, 0x40, 0, 0] + Array("mntrRGB XYZ ".utf8)
      + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + white
      + [UInt8](repeating: 0, count: 48) + directory + content
  }

  private static func point(_ values: [Double]) -> [UInt8]? {
    fixed(values).map { Array("XYZ \0\0\0\0".utf8) + $0 }
  }

  /// Returns a text in English (ICC.1:2022, 10.15).
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return Array("mluc\0\0\0\0".utf8) + bytes(of: 1) + bytes(of: 12) + Array("enUS".utf8)
      + bytes(of: units.count) + bytes(of: 28) + units
  }

  /// Returns numbers with 16 fraction bits (s15Fixed16Number); nil if one is out of range.
  fileprivate static func fixed(_ values: [Double]) -> [UInt8]? {
    let numbers = values.compactMap { Int32(exactly: ($0 * 65_536).rounded()) }
    return numbers.count == values.count ? numbers.flatMap { bytes(of: Int($0)) } : nil
  }
}

extension TransferFunction {
  /// The curve of an ICC profile; nil for HDR functions and for values out of range.
  fileprivate var icc: [UInt8]? {
    switch self {
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      RGBSpace.fixed([g, a, b, c, d, e, f]).map { Array("para\0\0\0\0".utf8) + [0, 4, 0, 0] + $0 }
    case .sampled(let values):
      Array("curv\0\0\0\0".utf8) + bytes(of: values.count)
        + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    case .pq, .hlg: nil
    }
  }
}

/// Returns the lower 32 bits of `number`, the most significant byte first.
private func bytes(of number: Int) -> [UInt8] {
  stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
