/// What the colours of a picture file mean, in its own words.
///
/// Decoding leaves colours alone: a picture that is not in sRGB is handed out in the numbers it was stored in, and
/// looks too dull (or too gaudy) where they are taken for sRGB. This says when that is so.
public struct ColorProfile: Hashable, Sendable {
  /// Which of a file's parts speaks about its colours.
  public enum Source: String, Sendable, CaseIterable {
    /// None does, or none that can be made sense of.
    case none
    /// An embedded ICC profile: a JPEG's APP2 blocks, a PNG's iCCP.
    case icc
    /// A PNG's cICP: code points of ITU-T H.273.
    case codePoints = "cicp"
    /// A PNG's sRGB chunk.
    case mark = "srgb"
    /// A PNG's cHRM, with or without gAMA.
    case chromaticities = "chrm"
    /// A JPEG's EXIF tag ColorSpace.
    case exif
  }

  /// What the numbers of a colour are amounts of.
  public enum Space: String, Sendable, CaseIterable {
    /// Light.
    case gray
    /// Red, green and blue light.
    case rgb
    /// Cyan, magenta, yellow and black ink.
    case cmyk
  }

  /// Where the file says it.
  public let source: Source
  /// What the numbers are amounts of; that of the picture itself where the file says nothing.
  public let space: Space
  /// The common name of what was recognised by its content (`Display P3`), else what an ICC profile calls itself:
  /// at most 80 characters, none of them a control. Empty when nothing has a name.
  public let name: String
  /// True when the colours are sRGB's (IEC 61966-2-1), by content and not by name; and when a picture of red,
  /// green and blue, or of grey, does not say, because the web takes it for sRGB then.
  public let isSRGB: Bool
  /// True when the triangle of the primaries, in CIE 1931 xy and adapted to D50, is at least 1.2 times as
  /// large as that of sRGB: Display P3 and Adobe RGB have 1.3 times, screens adjusted to sRGB less than 1.1.
  /// False for inks, grey, and profiles that are tables instead of primaries.
  public let isWideGamut: Bool

  /// What `stated` says of a picture whose file stores `model`.
  init(_ stated: StatedColor?, of model: ImageHeader.ColorModel) {
    guard let stated else {
      source = .none
      space = Space(of: model)
      name = ""
      isSRGB = space != .cmyk
      isWideGamut = false
      return
    }
    source = stated.source
    switch stated.definition {
    case .icc(let profile):
      space = profile.space
      let rgb = profile.rgb
      name = rgb?.name ?? profile.description ?? ""
      isSRGB = rgb?.isSRGB ?? profile.isSRGBGray
      isWideGamut = rgb?.primaries.isWideGamut ?? false
    case .rgb(let rgb):
      space = .rgb
      name = rgb.name ?? ""
      isSRGB = rgb.isSRGB
      isWideGamut = rgb.primaries.isWideGamut
    }
  }
}

extension ColorProfile.Space {
  /// The space of a picture that stores `model`, whatever its profile.
  init(of model: ImageHeader.ColorModel) {
    switch model {
    case .gray, .grayAlpha: self = .gray
    case .indexed, .rgb, .rgba: self = .rgb
    case .cmyk: self = .cmyk
    }
  }
}
