/// The color space that an image file declares, and the part of the file that declares it.
///
/// Reading never fails. A damaged declaration, or one that does not match the color model, counts as missing,
/// because an image must not be rejected for its metadata.
struct DeclaredColorSpace {
  enum Definition {
    case icc(ICCProfile)
    case rgb(RGBSpace)
  }

  let definition: Definition
  let source: ColorProfile.Source
  /// The content of a cICP chunk.
  var codePoints: [UInt8]?

  /// The embedded profile, or one made from the declaration; nil for HDR.
  var profile: ICCProfile? {
    switch definition {
    case .icc(let profile): profile
    case .rgb(let space): space.icc(named: "").flatMap(ICCProfile.init)
    }
  }

  /// The maximum size of a profile. 4 MB: the largest profiles in use, those of printing presses, have 0.5 to
  /// 3 MB.
  static let largestProfile = 4 << 20

  /// Reads the declaration of the file `bytes`, which has the header `header`.
  static func read(_ bytes: [UInt8], header: ImageHeader) -> DeclaredColorSpace? {
    var ignored = false
    return read(bytes, header: header, ignoresProfile: &ignored)
  }

  /// Reads the declaration, and sets `ignoresProfile` to true if the file has an unusable ICC profile.
  static func read(
    _ bytes: [UInt8], header: ImageHeader, ignoresProfile: inout Bool
  ) -> DeclaredColorSpace? {
    let file = ByteView(bytes)
    let model = header.colorModel
    return switch header.format {
    case .png: png(file, model, &ignoresProfile)
    case .jpeg: jpeg(file, model, &ignoresProfile)
    }
  }

  /// Returns the size of the ICC profile in the file that begins with `bytes`, without the checks of ``read``.
  /// If the file may have a profile after `bytes`, returns the maximum.
  static func profileBytes(_ bytes: [UInt8], header: ImageHeader) -> Int {
    let file = ByteView(bytes)
    let size = header.format == .png ? pngProfileBytes(file) : jpegProfileBytes(file)
    return min(size ?? largestProfile, largestProfile)
  }

  /// Reads an embedded profile. Returns nil if it is invalid or not for images that store `model`.
  ///
  /// A gray image may have an RGB profile: gray has equal components.
  static func embedded(_ profile: [UInt8], _ model: ImageHeader.ColorModel) -> DeclaredColorSpace? {
    guard let profile = ICCProfile(profile) else { return nil }
    let space = ColorProfile.Space(of: model)
    guard profile.space == space || (profile.space == .rgb && space == .gray) else { return nil }
    return DeclaredColorSpace(definition: .icc(profile), source: .icc)
  }
}
