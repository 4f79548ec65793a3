internal import CImageCodecs

/// The encoder of PNG: libpng.
struct PNGEncoder: FormatEncoder {
  /// The compression level of zlib, 0...9; nil for the default, which is faster for large images.
  var level: Int?

  var format: ImageFormat { .png }

  func encode(
    _ image: Image, _ metadata: ImageMetadata, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    let writer = try unsafe RowWriter(image) { picture in
      unsafe cellophane_png_writer(picture, image.isOpaque, Int32(level ?? -1))
    }
    // After the signature and IHDR.
    try writer.write(image, inserting: metadata.pngParts, at: 33, to: write)
  }
}
