/// What becomes of the colours of one picture: nothing, or with the package trait `ColorManagement` and on
/// request, sRGB. Comes after reducing, when pixels are fewest: averages are taken in the file's numbers either
/// way, and alpha is not multiplied in. Inks come first instead, row by row: they have no place for alpha, and
/// leave none.
struct Coloring: ~Copyable {
  #if ColorManagement
    private let conversion: ColorConversion?
  #endif

  /// For the picture in the file `bytes`, of which all before the pixels is there.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` for colours that are known and cannot be converted.
  init(_ bytes: [UInt8], header: ImageHeader, _ options: ImageOptions) throws(LoadError) {
    #if ColorManagement
      conversion = options.convertsToSRGB ? try ColorConversion.toSRGB(bytes, header: header) : nil
    #endif
  }

  /// The most memory that it holds, in bytes.
  static func workingBytes(_ options: ImageOptions) -> Int {
    #if ColorManagement
      if options.convertsToSRGB { return ColorConversion.workingBytes }
    #endif
    return 0
  }

  /// True when the reader has to deliver inks as stored, for ``apply(toInks:)``.
  var takesInks: Bool {
    #if ColorManagement
      switch conversion {
      case .some(let conversion): conversion.takesInks
      case nil: false
      }
    #else
      false
    #endif
  }

  /// Makes pixels of inks, in place; does nothing unless it ``takesInks``.
  borrowing func apply(toInks pixels: UnsafeMutableRawBufferPointer) {
    #if ColorManagement
      if takesInks { unsafe conversion?.apply(to: pixels) }
    #endif
  }

  /// `pixels`, reduced and turned, as they are to be.
  borrowing func applied(
    to pixels: consuming [UInt8], _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8] {
    #if ColorManagement
      if !takesInks { try conversion?.apply(to: &pixels, watch) }
    #endif
    return pixels
  }
}
