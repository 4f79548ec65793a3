/// The color space that an image file declares.
///
/// The values of an image that is not sRGB look too dull or too saturated if they are shown as sRGB. The
/// profile identifies such images, and encoded files contain it.
public struct ColorProfile: Hashable, Sendable {
  /// The part of a file that declares its color space.
  package enum Source: String, Sendable, CaseIterable {
    /// The file has no usable declaration.
    case none
    /// An embedded ICC profile: the APP2 segments of a JPEG or the iCCP chunk of a PNG.
    case icc
    /// The cICP chunk of a PNG, with code points of ITU-T H.273.
    case codePoints = "cicp"
    /// The sRGB chunk of a PNG.
    case mark = "srgb"
    /// The cHRM chunk of a PNG, with or without gAMA.
    case chromaticities = "chrm"
    /// The EXIF tag ColorSpace of a JPEG.
    case exif
  }

  /// The components of a color.
  package enum Space: String, Sendable, CaseIterable {
    /// Gray light.
    case gray
    /// Red, green and blue light.
    case rgb
    /// Cyan, magenta, yellow and black ink.
    case cmyk
  }

  /// The part of the file with the declaration.
  package let source: Source
  /// The components of the color space. Without a declaration, those of the image itself.
  package let space: Space
  /// The common name of a color space recognized by its content, such as `Display P3`, or the description in
  /// an ICC profile.
  ///
  /// A description has at most 80 characters and no control characters. The name is empty if neither is
  /// known.
  public let name: String
  /// True if the colors are sRGB (IEC 61966-2-1), by content and not by name.
  ///
  /// Also true for RGB and gray images without a declaration, because browsers treat them as sRGB.
  public let isSRGB: Bool
  /// True if the triangle of the primaries, in CIE 1931 xy and adapted to D50, is at least 1.2 times as large
  /// as that of sRGB.
  ///
  /// The factor is 1.3 for Display P3 and Adobe RGB, and less than 1.1 for screens adjusted to sRGB. False
  /// for CMYK, gray, and profiles that consist of tables instead of primaries.
  public let isWideGamut: Bool
  /// An ICC profile for the red, green and blue of decoded pixels: that of the file, or one made from its
  /// declaration.
  ///
  /// Made from the primaries of PNG chunks or EXIF, and from the curve of a gray profile. Nil without a
  /// declaration, for CMYK, HDR and the sRGB marks of PNG and EXIF, and for gray profiles with tables.
  public let icc: [UInt8]?
  /// The content of the cICP chunk of HDR colors, for which ``icc`` is nil.
  package let codePoints: [UInt8]?

  /// Creates the profile of pixels from the bytes of an ICC profile; nil if it is damaged or not for RGB.
  ///
  /// Decoders of other formats can pass it to ``Image/init(width:height:pixels:colorProfile:orientation:)``.
  public init?(icc: [UInt8]) {
    guard let declared = DeclaredColorSpace.embedded(icc, .rgb) else { return nil }
    self.init(declared, of: .rgb)
  }

  /// Creates the profile of an image that stores `model` and declares `declared`.
  init(_ declared: DeclaredColorSpace?, of model: ImageHeader.ColorModel) {
    guard let declared else {
      source = .none
      space = Space(of: model)
      name = ""
      isSRGB = space != .cmyk
      isWideGamut = false
      (icc, codePoints) = (nil, nil)
      return
    }
    switch declared.definition {
    case .icc(let profile): self = ColorProfile(profile)
    case .rgb(let rgb):
      source = declared.source
      space = .rgb
      name = rgb.name ?? ""
      isSRGB = rgb.isSRGB
      isWideGamut = rgb.primaries.isWideGamut
      icc = isSRGB ? nil : rgb.icc(named: name)
      codePoints = rgb.hasHeadroom ? declared.codePoints : nil
    }
  }

  private static let recent = RecentProfiles<ColorProfile>()

  /// Returns the profile of an image with an embedded profile. The bytes are shared with recent images.
  private init(_ profile: ICCProfile) {
    let known = try? Self.recent.value(of: profile.bytes) { ColorProfile(reading: profile) }
    self = known ?? ColorProfile(reading: profile)
  }

  private init(reading profile: ICCProfile) {
    source = .icc
    space = profile.space
    let rgb = profile.rgb
    let gray = profile.gray
    name = rgb?.name ?? profile.description ?? ""
    isSRGB = (rgb ?? gray)?.isSRGB ?? false
    isWideGamut = rgb?.primaries.isWideGamut ?? false
    icc = space == .rgb ? profile.bytes : gray?.icc(named: name)
    codePoints = nil
  }

  /// True if an encoded file can declare these colors.
  var isDeclarable: Bool { icc != nil || codePoints != nil }
}

extension ColorProfile.Space {
  /// Returns the space of an image that stores `model`, without regard to its profile.
  init(of model: ImageHeader.ColorModel) {
    switch model {
    case .gray, .grayAlpha: self = .gray
    case .indexed, .rgb, .rgba: self = .rgb
    case .cmyk: self = .cmyk
    }
  }
}
