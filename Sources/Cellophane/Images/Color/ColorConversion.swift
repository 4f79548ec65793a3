#if ColorManagement
  internal import CLCMS2

  /// Turns pixels of one picture into sRGB. The only place that touches lcms2.
  @safe
  struct ColorConversion: ~Copyable {
    private let context: LCMSContext
    private let transform: cmsHTRANSFORM
    /// True when it makes pixels of a JPEG's inks, as stored, and not of red, green, blue and alpha.
    let takesInks: Bool

    /// The most memory that a conversion holds, in bytes: while it is made, the profile as embedded and seven times
    /// as much of lcms2's (measured: its copy, and three of a table whose 8 bits become 16), and 2 MB for the
    /// tables that stay (at most 33 steps on each of three axes, or 17 on each of four, 16 bits each).
    static let workingBytes = 8 * StatedColor.largestProfile + 2 << 20

    /// Pixels between two looks at cancellation and the time. 65 536: about 1 ms.
    private static let strip = 65_536

    /// What makes sRGB of the picture in the file `bytes`; nil when it is sRGB, or the file does not say, or
    /// says it in a profile that lcms2 refuses.
    ///
    /// - Throws: ``LoadError/Kind/unsupported`` for colours that are known and cannot be converted.
    static func toSRGB(_ bytes: [UInt8], header: ImageHeader) throws(LoadError) -> ColorConversion? {
      guard let stated = StatedColor.read(bytes, header: header),
        !ColorProfile(stated, of: header.colorModel).isSRGB
      else { return nil }
      guard let context = LCMSContext() else { throw .noMemoryForPixels }
      switch stated.definition {
      case .icc(let profile):
        guard let source = LCMSProfile(profile.bytes, in: context) else { return nil }
        return ColorConversion(from: source, profile.space, intent: profile.intent, in: context)
      case .rgb(let space):
        guard !space.hasHeadroom else {
          throw LoadError(
            .unsupported,
            "the \(header.format.name) holds light beyond white (\(space.name ?? "HDR")), which sRGB has no"
              + " room for; leave the option off")
        }
        guard let source = LCMSProfile(space, in: context) else { return nil }
        return ColorConversion(from: source, .rgb, intent: 0, in: context)
      }
    }

    /// The intent is the profile's own choice between perceptual and relative colorimetric, as Firefox can be set
    /// to and ICC wants it; for profiles of primaries and curves, nearly all that pictures have, both are the
    /// same, so that every browser agrees. The others are not for screens: absolute would tint white. Black
    /// goes to black, as in image editors, else inks would look washed out.
    private init?(
      from source: borrowing LCMSProfile, _ space: ColorProfile.Space, intent: Int,
      in context: consuming LCMSContext
    ) {
      let pixel =
        switch space {
        case .gray: cellophane_lcms_gray_of_rgba
        case .rgb: cellophane_lcms_rgba
        // As every JPEG is taken to store them.
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
      takesInks = space == .cmyk
    }

    deinit {
      unsafe cmsDeleteTransform(transform)
    }

    /// Converts pixels of 4 bytes in place; alpha stays, and becomes 255 where black ink was.
    func apply(to pixels: UnsafeMutableRawBufferPointer) {
      guard let first = pixels.baseAddress else { return }
      unsafe cmsDoTransform(transform, first, first, UInt32(pixels.count / 4))
      guard takesInks else { return }
      for alpha in stride(from: 3, to: pixels.count, by: 4) { unsafe pixels[alpha] = 255 }
    }

    /// Converts pixels of 4 bytes in place; alpha stays.
    ///
    /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
    func apply(to pixels: inout [UInt8], _ watch: DecodingWatch) throws(LoadError) {
      for start in stride(from: 0, to: pixels.count, by: Self.strip * 4) {
        try watch.look()
        let end = min(start + Self.strip * 4, pixels.count)
        unsafe pixels.withUnsafeMutableBytes { bytes in
          unsafe apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
    }
  }

  /// Where lcms2 keeps what belongs to one conversion. Its errors are told to nobody unless one asks.
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

  /// An open profile.
  @safe
  private struct LCMSProfile: ~Copyable {
    let handle: cmsHPROFILE

    /// An embedded one; nil when lcms2 finds it damaged.
    init?(_ bytes: [UInt8], in context: borrowing LCMSContext) {
      let opened = unsafe bytes.withUnsafeBytes {
        unsafe cmsOpenProfileFromMemTHR(context.handle, $0.baseAddress, UInt32($0.count))
      }
      guard let handle = unsafe opened else { return nil }
      unsafe self.handle = handle
    }

    /// One that consists of primaries and curves. The primaries are adapted to D50 already.
    init?(_ space: RGBSpace, in context: borrowing LCMSContext) {
      func point(_ color: SIMD3<Double>) -> cmsCIExyY {
        cmsCIExyY(x: color.x / color.sum(), y: color.y / color.sum(), Y: 1)
      }
      let primaries = space.primaries
      var points = cmsCIExyYTRIPLE(
        Red: point(primaries.red), Green: point(primaries.green), Blue: point(primaries.blue))
      guard case .parametric(let g, let a, let b, let c, let d, let e, let f) = space.transfer.first,
        // Kind 5 of lcms2 is ICC's most general one.
        let curve = unsafe cmsBuildParametricToneCurve(context.handle, 5, [g, a, b, c, d, e, f])
      else { return nil }
      defer { unsafe cmsFreeToneCurve(curve) }
      let curves: [OpaquePointer?] = unsafe [curve, curve, curve]
      guard let handle = unsafe cmsCreateRGBProfileTHR(context.handle, cmsD50_xyY(), &points, curves) else {
        return nil
      }
      unsafe self.handle = handle
    }

    /// sRGB.
    init?(sRGBIn context: borrowing LCMSContext) {
      guard let handle = unsafe cmsCreate_sRGBProfileTHR(context.handle) else { return nil }
      unsafe self.handle = handle
    }

    deinit {
      unsafe cmsCloseProfile(handle)
    }
  }
#endif
