extension Image {
  /// Returns the image with its orientation applied to the pixels.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the image was decoded without its pixels.
  func upright() throws(LoadError) -> Image {
    let size = PixelSize(width: width, height: height)
    guard let byteCount = size.byteCount, pixels.count == byteCount else {
      throw LoadError(
        .invalidRequest,
        "the image was decoded without its pixels and has no placeholder; decode it with them")
    }
    if orientation == .up { return self }
    var canvas = Canvas(size, byteCount: byteCount, orientation: orientation)
    canvas.write(PixelRows(width: width, pixels: pixels), columns: 0..<width, rows: 0..<height, y: 0)
    return Image(
      size: orientation.applied(to: size), validatedPixels: canvas.pixels, colorProfile: colorProfile)
  }
}
