internal import CImageCodecs

/// The encoder of JPEG: libjpeg.
struct JPEGEncoder: FormatEncoder {
  /// The quality of libjpeg, 1...100.
  let quality: Int
  let isProgressive: Bool
  let subsampling: Image.ChromaSubsampling

  var format: ImageFormat { .jpeg }

  func encode(
    _ image: Image, _ metadata: ImageMetadata, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    let settings = CodecJPEGSettings(
      quality: Int32(quality), progressive: isProgressive, columns: subsampling == .yuv444 ? 1 : 2,
      rows: subsampling == .yuv420 ? 2 : 1)
    let writer = try unsafe RowWriter(image) { unsafe cellophane_jpeg_writer($0, settings) }
    // After SOI and the JFIF segment.
    try writer.write(image, inserting: metadata.jpegParts, at: 20, to: write)
  }
}
