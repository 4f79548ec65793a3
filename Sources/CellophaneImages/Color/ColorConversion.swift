/// The color conversion of one image: to sRGB on request with the package trait `ColorManagement`, else none.
///
/// The conversion follows the reduction, when the image has the fewest pixels. Averages are computed from the
/// values in the file in both cases, and alpha is not premultiplied. CMYK is converted first instead, row by
/// row, because its pixels have four components and no alpha.
struct ColorConversion: ~Copyable {
  #if ColorManagement
    private let conversion: LCMSConversion?
  #endif

  /// Creates the conversion for the image file `bytes`, which must be complete up to its pixels.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` for known colors that cannot be converted.
  init(_ bytes: [UInt8], header: ImageHeader, _ options: ImageOptions) throws(LoadError) {
    #if ColorManagement
      conversion = options.convertsToSRGB ? try LCMSConversion.toSRGB(bytes, header: header) : nil
    #endif
  }

  /// Returns the peak memory of the conversion, in bytes.
  static func workingBytes(_ options: ImageOptions) -> Int {
    #if ColorManagement
      if options.convertsToSRGB { return LCMSConversion.workingBytes }
    #endif
    return 0
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

  /// Returns `pixels`, reduced and oriented, with their final colors.
  ///
  /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
  borrowing func applied(
    to pixels: consuming [UInt8], _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8] {
    #if ColorManagement
      if !takesCMYK { try conversion?.apply(to: &pixels, watch) }
    #endif
    return pixels
  }
}
