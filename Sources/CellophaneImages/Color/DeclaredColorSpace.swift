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

  /// The maximum size of a profile. 4 MB: the largest profiles in use, those of printing presses, have 0.5 to
  /// 3 MB.
  static let largestProfile = 4 << 20

  /// Reads the declaration of the file `bytes`, which has the header `header`.
  static func read(_ bytes: [UInt8], header: ImageHeader) -> DeclaredColorSpace? {
    let file = ByteView(bytes)
    let model = header.colorModel
    return switch header.format {
    case .png: png(file, model)
    case .jpeg: jpeg(file, model)
    }
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
