internal import CImageCodecs

/// The codec of JPEG: libjpeg.
struct JPEGCodec: FormatCodec {
  var format: ImageFormat { .jpeg }

  func match(_ file: ByteView) -> SignatureMatch { file.match(JPEGHeader.signature) }

  func header(of file: ByteView) throws(LoadError) -> ImageHeader { try JPEGHeader.read(file) }

  func colors(of file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace.Reading {
    DeclaredColorSpace.jpeg(file, model)
  }

  func profileBytes(of file: ByteView) -> Int? { DeclaredColorSpace.jpegProfileBytes(file) }

  func scaling(_ header: ImageHeader) -> CodecScaling { CodecScaling(denominators: [8, 4, 2]) }

  func workingBytes(_ header: ImageHeader, _ framing: Framing, discardsPixels: Bool) -> Int {
    let strip = framing.decoded.width * 4 * ImageAssembler.stripHeight
    let rows = discardsPixels ? strip + 1 << 20 : framing.isIdentity ? 0 : strip
    // libjpeg needs up to four components of about five rows of units, 8 or 16 samples high, before and after
    // upsampling.
    return rows + header.size.width * 4 * 5 * 8 + 64 << 10 + header.bufferBytes
  }

  /// The header ends with the first scan.
  func reachesPixels(_ file: ByteView) -> Bool { true }

  var hasLateOrientation: Bool { false }

  func open() -> OpaquePointer? { unsafe cellophane_jpeg_reader() }
}

extension PictureCodec {
  /// JPEG by libjpeg.
  public static let jpeg = PictureCodec(JPEGCodec())
}
