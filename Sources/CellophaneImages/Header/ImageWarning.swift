internal import CImageCodecs

/// A deviation of a file from its format, or of the image from its options, that leaves every pixel right.
public enum ImageWarning: String, Sendable, CaseIterable {
  /// The end marker is missing or damaged: EOI of a JPEG, IEND of a PNG. All pixels arrived.
  case missingEnd = "missing-end"
  /// The checksum of a PNG chunk that does not affect the pixels is wrong, or a color profile is damaged or
  /// not for images of this kind. The chunk or the profile is ignored.
  case damagedMetadata = "damaged-metadata"
  /// A header or a restart marker has values that the format does not allow, and the pixels do not depend on
  /// them.
  case irregularHeader = "irregular-header"
  /// The colors were to be converted to sRGB, but they are HDR, or their profile defines no conversion. They
  /// are as in the file.
  case unconvertedColors = "unconverted-colors"
}

extension ImageWarning {
  /// Returns the warnings in `bits` of the codec, in the order of the cases.
  static func all(in bits: UInt32) -> [ImageWarning] {
    allCases.filter { bits & $0.bit != 0 }
  }

  private var bit: UInt32 {
    switch self {
    case .missingEnd: CodecWarnings.end.rawValue
    case .damagedMetadata: CodecWarnings.ancillary.rawValue
    case .irregularHeader: CodecWarnings.header.rawValue
    case .unconvertedColors: 0
    }
  }
}
