/// The colors of one image: their declaration in the file, and on request their conversion to sRGB, which needs
/// the package trait `ColorManagement`.
///
/// The conversion follows the reduction, when the image has the fewest pixels. Averages are computed from the
/// values in the file in both cases, and alpha is not premultiplied. CMYK is converted first instead, row by
/// row, because its pixels have four components and no alpha.
struct ColorConversion: ~Copyable {
  /// The color space of the resulting pixels; nil for sRGB, and for colors that encoded files cannot declare.
  let profile: ColorProfile?
  let warnings: [ImageWarning]
  #if ColorManagement
    private let conversion: LCMSConversion?
  #endif

  /// Prepares the conversion of an image that stores `model`, whose file has the declaration `reading`.
  ///
  /// - Throws: ``LoadError/Kind/imageTooLarge`` if an allocation fails.
  init(
    _ reading: DeclaredColorSpace.Reading, of model: ImageHeader.ColorModel, _ options: ImageOptions
  ) throws(LoadError) {
    let declared = reading.colorSpace
    var profile = declared.map { ColorProfile($0, of: model) }
    if let colors = profile, colors.isSRGB { profile = nil }
    var warnings: [ImageWarning] = reading.ignoresProfile ? [.damagedMetadata] : []
    #if ColorManagement
      if options.convertsToSRGB, !options.discardsPixels, let declared, profile != nil {
        conversion = try declared.profile.flatMap { profile throws(LoadError) in
          try LCMSConversion.toSRGB(from: profile)
        }
        if conversion == nil { warnings.append(.unconvertedColors) } else { profile = nil }
      } else {
        conversion = nil
      }
    #endif
    self.profile = profile?.isDeclarable == true ? profile : nil
    self.warnings = warnings
  }

  /// Returns the peak memory of a profile and its conversion, in bytes.
  ///
  /// - Parameter profileBytes: The size of the profile; nil if it may follow the bytes received so far.
  static func workingBytes(profileBytes: Int?, _ options: ImageOptions) -> Int {
    let largest = DeclaredColorSpace.largestProfile
    let profile = min(profileBytes ?? largest, largest)
    #if ColorManagement
      if options.convertsToSRGB, !options.discardsPixels {
        return profile + LCMSConversion.workingBytes(profileBytes: profile)
      }
    #endif
    return profile
  }

  /// True if the reader must deliver CMYK as stored, for ``apply(toCMYK:)``.
  var takesCMYK: Bool {
    #if ColorManagement
      switch conversion {
      case .some(let conversion): conversion.takesCMYK
      case nil: false
      }
    #else
      false
    #endif
  }

  /// Converts CMYK pixels in place. Has no effect unless ``takesCMYK`` is true.
  borrowing func apply(toCMYK pixels: UnsafeMutableRawBufferPointer) {
    #if ColorManagement
      if takesCMYK { unsafe conversion?.apply(to: pixels) }
    #endif
  }

  /// Converts reduced pixels in place. Has no effect if ``takesCMYK`` is true.
  ///
  /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
  borrowing func apply(to pixels: inout [UInt8], _ watch: DecodingWatch) throws(LoadError) {
    #if ColorManagement
      if !takesCMYK { try conversion?.apply(to: &pixels, watch) }
    #endif
  }
}
