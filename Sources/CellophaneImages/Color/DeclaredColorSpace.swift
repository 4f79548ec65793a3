/// The color space that an image file declares, and the part of the file that declares it.
///
/// Reading never fails. A damaged declaration, or one that does not match the color model, counts as missing,
/// because an image must not be rejected for its metadata.
package struct DeclaredColorSpace {
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

  /// The declaration of a file.
  package struct Reading {
    /// The color space; nil if the file declares none that is usable.
    let colorSpace: DeclaredColorSpace?
    /// True if the file has an unusable ICC profile.
    let ignoresProfile: Bool

    init(_ colorSpace: DeclaredColorSpace?, ignoresProfile: Bool = false) {
      (self.colorSpace, self.ignoresProfile) = (colorSpace, ignoresProfile)
    }

    /// Reads the code points of ITU-T H.273 for primaries, transfer function, matrix and range, as in a cICP chunk.
    package init(codePoints: [UInt8]) {
      let rgb = RGBSpace(codePoints: ByteView(codePoints))
      self.init(
        rgb.map { DeclaredColorSpace(definition: .rgb($0), source: .codePoints, codePoints: codePoints) })
    }

    /// Reads an embedded ICC profile, the only declaration of a file that stores `model`; nil for a file without one.
    package init(profile: ByteView?, _ model: ImageHeader.ColorModel) {
      colorSpace = profile.flatMap { $0.count <= largestProfile ? embedded($0.copy, model) : nil }
      ignoresProfile = profile != nil && colorSpace == nil
    }
  }

  /// The maximum size of a profile. 4 MB: the largest profiles in use, those of printing presses, have 0.5 to
  /// 3 MB.
  package static let largestProfile = 4 << 20

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
