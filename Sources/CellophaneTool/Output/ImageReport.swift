internal import Cellophane

/// A decoded image with its header and color profile.
struct DecodedFile {
  let header: ImageHeader
  let color: ColorProfile
  let image: Image

  /// Decodes `bytes`.
  init(
    _ bytes: [UInt8], options: ImageOptions, decoder: ImageDecoder
  ) throws(LoadError) {
    try self.init(bytes, image: try decoder.decode(bytes, options: options), decoder: decoder)
  }

  /// Reads the header and the color profile from `bytes`, from which `image` was decoded.
  init(_ bytes: [UInt8], image: Image, decoder: ImageDecoder) throws(LoadError) {
    header = try decoder.header(of: bytes)
    color = try decoder.colorProfile(of: bytes)
    self.image = image
  }
}

/// A decoded image, as JSON and as text.
struct ImageReport: Encodable {
  let format: String
  let storedWidth: Int
  let storedHeight: Int
  let orientation: Int
  let bitDepth: Int
  let colorModel: String
  let color: ColorReport
  let width: Int
  let height: Int
  /// True if the file is truncated or damaged, and some pixels are missing.
  let partial: Bool
  /// The deviations of the file from its format that leave every pixel right.
  let warnings: [String]

  init(_ file: DecodedFile) {
    format = file.header.format.id
    storedWidth = file.header.size.width
    storedHeight = file.header.size.height
    orientation = Int(file.header.orientation.rawValue)
    bitDepth = file.header.bitDepth
    colorModel = file.header.colorModel.rawValue
    color = ColorReport(file.color)
    width = file.image.width
    height = file.image.height
    partial = file.image.isPartial
    warnings = file.image.warnings.map(\.rawValue)
  }

  /// The image in a few words: `png 64x64 of 320x320`.
  var summary: String {
    let hasStoredSize = width == storedWidth && height == storedHeight
    return format + " \(width)x\(height)" + (hasStoredSize ? "" : " of \(storedWidth)x\(storedHeight)")
      + (partial ? ", partial" : "") + warnings.map { ", " + $0 }.joined()
      + (color.summary.map { "  " + $0 } ?? "")
  }
}

/// The color profile of a file, as JSON and as text.
struct ColorReport: Encodable {
  let source: String
  let space: String
  let profile: String
  let srgb: Bool
  let wideGamut: Bool

  init(_ color: ColorProfile) {
    source = color.source.rawValue
    space = color.space.rawValue
    profile = color.name
    srgb = color.isSRGB
    wideGamut = color.isWideGamut
  }

  /// The profile in a few words; nil for sRGB.
  var summary: String? {
    if srgb { return nil }
    let kind = space == ColorProfile.Space.rgb.rawValue ? [] : [space]
    let named = source == ColorProfile.Source.none.rawValue ? "no profile" : "unnamed profile"
    return ([profile.isEmpty ? named : profile] + kind + (wideGamut ? ["wide gamut"] : []))
      .joined(separator: ", ")
  }
}
