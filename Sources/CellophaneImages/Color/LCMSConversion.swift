#if ColorManagement
  internal import CLCMS2

  /// A conversion of pixels to sRGB. The only type that calls lcms2.
  ///
  /// Unchecked: `cmsFLAGS_NOCACHE` protects it. lcms2 does not write to a transform without a cache, and only `init` and
  /// `deinit` write to the context. So several threads may call `apply` at once.
  @safe
  final class LCMSConversion: @unchecked Sendable {
    private let context: LCMSContext
    private let transform: cmsHTRANSFORM
    /// True if the input is CMYK as stored in a JPEG, not red, green, blue and alpha.
    let takesCMYK: Bool

    /// Returns the peak memory of a conversion by an embedded profile of this size, in bytes.
    ///
    /// During creation: seven times the size of the profile. That factor is measured: a copy of the profile,
    /// and three copies of a table whose 8 bits become 16. Afterwards: 2 MB for tables of at most 33 steps on
    /// each of three axes, or 17 on each of four, 16 bits each. Without an embedded profile, 1 MB for curves.
    static func workingBytes(profileBytes: Int) -> Int {
      profileBytes == 0 ? 1 << 20 : 7 * profileBytes + 2 << 20
    }

    /// The number of pixels between two checks for cancellation and the time limit. 65 536 take about 1 ms.
    private static let strip = 65_536

    private static let recent = RecentProfiles<LCMSConversion?>()

    /// Returns the conversion to sRGB from the colors of `profile`; nil if lcms2 rejects it.
    ///
    /// - Throws: ``LoadError/Kind/imageTooLarge`` if an allocation fails.
    static func toSRGB(from profile: ICCProfile) throws(LoadError) -> LCMSConversion? {
      try recent.value(of: profile.bytes) { () throws(LoadError) in
        guard let context = LCMSContext() else { throw .noMemoryForPixels }
        guard let source = LCMSProfile(profile.bytes, in: context) else { return nil }
        return LCMSConversion(from: source, profile.space, intent: profile.intent, in: context)
      }
    }

    /// Creates a conversion from the profile `source`.
    ///
    /// The rendering intent is the choice of the profile between perceptual and relative colorimetric, as ICC
    /// recommends and as Firefox can be configured. For profiles of primaries and curves, which nearly all
    /// images have, both give the same result, so all browsers agree. The other intents are not for screens:
    /// absolute colorimetric would tint white. Black point compensation maps black to black, as in image
    /// editors. Without it, CMYK images would look washed out.
    private init?(
      from source: borrowing LCMSProfile, _ space: ColorProfile.Space, intent: Int,
      in context: consuming LCMSContext
    ) {
      let pixel =
        switch space {
        case .gray: cellophane_lcms_gray_of_rgba
        case .rgb: cellophane_lcms_rgba
        // The complements, as every known JPEG writer stores them.
        case .cmyk: cellophane_lcms_cmyk_complements
        }
      guard let target = LCMSProfile(sRGBIn: context),
        let transform = unsafe cmsCreateTransformTHR(
          context.handle, source.handle, pixel, target.handle, cellophane_lcms_rgba,
          UInt32(intent == 0 ? INTENT_PERCEPTUAL : INTENT_RELATIVE_COLORIMETRIC),
          UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE))
      else { return nil }
      self.context = context
      unsafe self.transform = transform
      takesCMYK = space == .cmyk
    }

    deinit {
      unsafe cmsDeleteTransform(transform)
    }

    /// Converts pixels of 4 bytes in place. Alpha is unchanged, or 255 if the input is CMYK.
    func apply(to pixels: UnsafeMutableRawBufferPointer) {
      guard let first = pixels.baseAddress else { return }
      unsafe cmsDoTransform(transform, first, first, UInt32(pixels.count / 4))
      guard takesCMYK else { return }
      for alpha in stride(from: 3, to: pixels.count, by: 4) { unsafe pixels[alpha] = 255 }
    }

    /// Converts pixels of 4 bytes in place. Alpha is unchanged.
    ///
    /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
    func apply(to pixels: inout [UInt8], _ watch: DecodingWatch) throws(LoadError) {
      for start in stride(from: 0, to: pixels.count, by: Self.strip * 4) {
        try watch.check()
        let end = min(start + Self.strip * 4, pixels.count)
        unsafe pixels.withUnsafeMutableBytes { bytes in
          unsafe apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
    }
  }

  /// The lcms2 context of one conversion. It has no error handler, so lcms2 prints no errors.
  @safe
  private struct LCMSContext: ~Copyable {
    let handle: cmsContext

    init?() {
      guard let handle = unsafe cmsCreateContext(nil, nil) else { return nil }
      unsafe self.handle = handle
    }

    deinit {
      unsafe cmsDeleteContext(handle)
    }
  }

  /// An open lcms2 profile.
  @safe
  private struct LCMSProfile: ~Copyable {
    let handle: cmsHPROFILE

    /// Opens an embedded profile. Returns nil if lcms2 rejects it.
    init?(_ bytes: [UInt8], in context: borrowing LCMSContext) {
      let opened = unsafe bytes.withUnsafeBytes {
        unsafe cmsOpenProfileFromMemTHR(context.handle, $0.baseAddress, UInt32($0.count))
      }
      guard let handle = unsafe opened else { return nil }
      unsafe self.handle = handle
    }

    /// Creates the sRGB profile.
    init?(sRGBIn context: borrowing LCMSContext) {
      guard let handle = unsafe cmsCreate_sRGBProfileTHR(context.handle) else { return nil }
      unsafe self.handle = handle
    }

    deinit {
      unsafe cmsCloseProfile(handle)
    }
  }
#endif
