#if ColorManagement
  internal import CLCMS2

  /// A conversion of the pixels of one image to sRGB. The only type that calls lcms2.
  @safe
  struct LCMSConversion: ~Copyable {
    private let context: LCMSContext
    private let transform: cmsHTRANSFORM
    /// True if the input is CMYK as stored in a JPEG, not red, green, blue and alpha.
    let takesCMYK: Bool

    /// The peak memory of a conversion, in bytes.
    ///
    /// During creation: the embedded profile, and seven times its size in lcms2. That factor is measured: a
    /// copy of the profile, and three copies of a table whose 8 bits become 16. Afterwards: 2 MB for tables
    /// of at most 33 steps on each of three axes, or 17 on each of four, 16 bits each.
    static let workingBytes = 8 * DeclaredColorSpace.largestProfile + 2 << 20

    /// The number of pixels between two checks for cancellation and the time limit. 65 536 take about 1 ms.
    private static let strip = 65_536

    /// Creates the conversion to sRGB for the image file `bytes`.
    ///
    /// Returns nil if the image is sRGB, the file declares no color space, or lcms2 rejects the profile.
    ///
    /// - Throws: ``LoadError/Kind/unsupported`` for known colors that cannot be converted.
    static func toSRGB(_ bytes: [UInt8], header: ImageHeader) throws(LoadError) -> LCMSConversion? {
      guard let declared = DeclaredColorSpace.read(bytes, header: header),
        !ColorProfile(declared, of: header.colorModel).isSRGB
      else { return nil }
      guard let context = LCMSContext() else { throw .noMemoryForPixels }
      switch declared.definition {
      case .icc(let profile):
        guard let source = LCMSProfile(profile.bytes, in: context) else { return nil }
        return LCMSConversion(from: source, profile.space, intent: profile.intent, in: context)
      case .rgb(let space):
        guard !space.hasHeadroom else {
          throw LoadError(
            .unsupported,
            "the \(header.format.name) has HDR colors (\(space.name ?? "HDR")), which sRGB cannot represent;"
              + " decode it without conversion to sRGB")
        }
        guard let source = LCMSProfile(space, in: context) else { return nil }
        return LCMSConversion(from: source, .rgb, intent: 0, in: context)
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
          UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION))
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

    /// Creates a profile of primaries and curves. The primaries are already adapted to D50.
    init?(_ space: RGBSpace, in context: borrowing LCMSContext) {
      func point(_ color: SIMD3<Double>) -> cmsCIExyY {
        cmsCIExyY(x: color.x / color.sum(), y: color.y / color.sum(), Y: 1)
      }
      let primaries = space.primaries
      var points = cmsCIExyYTRIPLE(
        Red: point(primaries.red), Green: point(primaries.green), Blue: point(primaries.blue))
      guard case .parametric(let g, let a, let b, let c, let d, let e, let f) = space.transfer.first,
        // Type 5 of lcms2 is the most general parametric curve of ICC.
        let curve = unsafe cmsBuildParametricToneCurve(context.handle, 5, [g, a, b, c, d, e, f])
      else { return nil }
      defer { unsafe cmsFreeToneCurve(curve) }
      let curves: [OpaquePointer?] = unsafe [curve, curve, curve]
      guard let handle = unsafe cmsCreateRGBProfileTHR(context.handle, cmsD50_xyY(), &points, curves) else {
        return nil
      }
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
