/// What a file says its colours mean, and where it says so. Reading never fails: what is damaged, missing, or
/// does not fit the picture counts as not said, because a picture is worth more than its metadata.
struct StatedColor {
  enum Definition {
    case icc(ICCProfile)
    case rgb(RGBSpace)
  }

  let definition: Definition
  let source: ColorProfile.Source

  /// The largest profile that is read. 4 MB: those of printing presses, the largest in use, have 0.5 to 3 MB.
  static let largestProfile = 4 << 20

  /// What the file `bytes` says, which `header` was read from.
  static func read(_ bytes: [UInt8], header: ImageHeader) -> StatedColor? {
    let file = ByteView(bytes)
    let model = header.colorModel
    return switch header.format {
    case .png: png(file, model)
    case .jpeg: jpeg(file, model)
    }
  }

  /// An embedded profile; nil when it cannot be read, or is not for pictures that store `model`. A grey
  /// picture may have a profile for red, green and blue: grey is where they are equal.
  static func embedded(_ profile: [UInt8], _ model: ImageHeader.ColorModel) -> StatedColor? {
    guard let profile = ICCProfile(profile) else { return nil }
    let space = ColorProfile.Space(of: model)
    guard profile.space == space || (profile.space == .rgb && space == .gray) else { return nil }
    return StatedColor(definition: .icc(profile), source: .icc)
  }
}
