internal import CImageCodecs

/// The codec of PNG: libpng, and ``InflatedPNG`` for valid files.
struct PNGCodec: FormatCodec {
  var format: ImageFormat { .png }

  func match(_ file: ByteView) -> SignatureMatch { file.match(PNGHeader.signature) }

  func header(of file: ByteView) throws(LoadError) -> ImageHeader { try PNGHeader.read(file) }

  func colors(of file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace.Reading {
    DeclaredColorSpace.png(file, model)
  }

  func profileBytes(of file: ByteView) -> Int? { DeclaredColorSpace.pngProfileBytes(file) }

  func workingBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int {
    let row = framing.decoded.width * 4
    let all = row * framing.decoded.height
    // Beside a strip, the rows from one step of decompression. An interlaced image needs all of its rows.
    let rows =
      discardsPixels
      ? row * ImageAssembler.stripHeight + 1 << 20
      : framing.isIdentity
        ? 0 : header.isProgressive ? all : row * ImageAssembler.stripHeight + min(all, 1 << 20)
    // libpng needs two rows of up to 8 bytes per pixel and the 32 KB window of zlib.
    let libpng = header.size.width * 2 * 8 + 64 << 10
    return rows + max(libpng, inflatedBytes(header, framing, discardsPixels: discardsPixels))
  }

  /// Returns the memory of the fast path; 0 if it is not used.
  private func inflatedBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int {
    let isInPlace = framing.isIdentity && !discardsPixels
    let bytes = InflatedPNG.workingBytes(header, expandsInPlace: isInPlace) ?? 0
    return discardsPixels && bytes > InflatedPNG.maxCheckedBytes ? 0 : bytes
  }

  func reachesPixels(_ file: ByteView) -> Bool { PNGHeader.reachesPixels(file) }

  /// The eXIf chunk may follow the pixels.
  var hasLateOrientation: Bool { true }

  func open() -> OpaquePointer? { unsafe cellophane_png_reader() }

  func pixels(
    of bytes: [UInt8], _ header: ImageHeader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8]? {
    try InflatedPNG.pixels(of: bytes, header, framing, byteCount: byteCount, watch)
  }

  func isValid(_ bytes: [UInt8], _ header: ImageHeader) -> Bool { InflatedPNG.isValid(bytes, header) }
}

extension PictureCodec {
  /// PNG by libpng.
  public static let png = PictureCodec(PNGCodec())
}
