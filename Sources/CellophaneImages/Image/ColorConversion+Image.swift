extension ColorConversion {
  /// Returns the image of `pixels`, which are reduced and oriented, with their final colors.
  ///
  /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
  borrowing func image(
    of pixels: consuming [UInt8], _ framing: Framing, orientation: Orientation, isPartial: Bool = false,
    warnings found: [ImageWarning] = [], _ watch: DecodingWatch
  ) throws(LoadError) -> Image {
    try apply(to: &pixels, watch)
    return Image(
      size: framing.displaySize, validatedPixels: pixels, isPartial: isPartial,
      warnings: ImageWarning.allCases.filter { found.contains($0) || warnings.contains($0) },
      colorProfile: profile, orientation: orientation)
  }
}
