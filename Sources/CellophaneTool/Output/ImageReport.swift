internal import Cellophane

/// A picture and what its file says of it.
struct DecodedFile {
  let header: ImageHeader
  let color: ColorProfile
  let image: Image

  /// Decodes `bytes`.
  init(
    _ bytes: [UInt8], options: ImageOptions, decoder: ImageDecoder = ImageDecoder()
  ) throws(LoadError) {
    try self.init(bytes, image: try decoder.decode(bytes, options: options), decoder: decoder)
  }

  /// What `bytes` say of `image`, which was made of them.
  init(_ bytes: [UInt8], image: Image, decoder: ImageDecoder = ImageDecoder()) throws(LoadError) {
    header = try decoder.header(of: bytes)
    color = try decoder.colorProfile(of: bytes)
    self.image = image
  }
}

/// What `--json` prints of a picture.
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
  /// The file ended early or is damaged; some pixels are missing.
  let partial: Bool

  init(_ file: DecodedFile) {
    format = file.header.format.rawValue
    storedWidth = file.header.size.width
    storedHeight = file.header.size.height
    orientation = Int(file.header.orientation.rawValue)
    bitDepth = file.header.bitDepth
    colorModel = file.header.colorModel.rawValue
    color = ColorReport(file.color)
    width = file.image.width
    height = file.image.height
    partial = file.image.isPartial
  }

  /// The picture in a few words, for people.
  var summary: String {
    let isWhole = width == storedWidth && height == storedHeight
    return format + " \(width)x\(height)" + (isWhole ? "" : " of \(storedWidth)x\(storedHeight)")
      + (partial ? ", partial" : "") + (color.summary.map { "  " + $0 } ?? "")
  }
}

/// What `--json` prints of what a file says its colours are.
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

  /// In a few words, for people; nil for sRGB.
  var summary: String? {
    if srgb { return nil }
    let kind = space == ColorProfile.Space.rgb.rawValue ? [] : [space]
    let named = source == ColorProfile.Source.none.rawValue ? "no profile" : "unnamed profile"
    return ([profile.isEmpty ? named : profile] + kind + (wideGamut ? ["wide gamut"] : []))
      .joined(separator: ", ")
  }
}
