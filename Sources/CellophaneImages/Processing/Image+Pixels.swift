extension Image {
  /// Calls `body` with the pixels, 4 bytes each, which it may change in place.
  ///
  /// Pixels that another value shares are copied first.
  public mutating func withMutablePixels<Result, Failure>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = pixels.mutableSpan
    return try body(&span)
  }

  /// Returns an image of other pixels with the color profile, the orientation, ``isPartial`` and the warnings of
  /// this image.
  ///
  /// - Parameters:
  ///   - pixels: The rows from top to bottom, `size.width * size.height * 4` bytes.
  ///   - size: The size in pixels.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the number of bytes is wrong or a side is not positive.
  public func replacing(pixels: [UInt8], size: PixelSize) throws(LoadError) -> Image {
    let image = try Image(
      width: size.width, height: size.height, pixels: pixels, colorProfile: colorProfile,
      orientation: orientation)
    return Image(
      size: size, validatedPixels: image.pixels, isPartial: isPartial, warnings: warnings,
      colorProfile: colorProfile, orientation: orientation)
  }
}

extension Image {
  /// Replaces each pixel by the result of `change`.
  ///
  /// - Throws: ``LoadError/cancelled``.
  @inline(__always)
  mutating func mapPixels(_ change: (SIMD4<UInt8>) -> SIMD4<UInt8>) throws(LoadError) {
    var bytes = pixels.mutableSpan
    for start in stride(from: 0, to: bytes.count, by: Self.stripBytes) {
      try LoadError.throwIfCancelled()
      for offset in stride(from: start, to: min(start + Self.stripBytes, bytes.count), by: 4) {
        bytes.store(change(bytes.span.pixel(at: offset)), at: offset)
      }
    }
  }

  /// The bytes between two checks for cancellation. 1 MiB takes about a millisecond.
  private static let stripBytes = 1 << 20
}
