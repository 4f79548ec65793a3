extension Image {
  /// Returns the color that covers most of the image, as an opaque pixel.
  ///
  /// Similar colors count as one, so that gradients and noise do not divide an area. The method:
  ///
  /// 1. Count the colors in a histogram with 5 bits per component, weighted by alpha.
  /// 2. Find the heaviest box of 5 x 5 x 5 bins, and the heaviest bin in it.
  /// 3. Compute the mean of the pixels in this bin and its neighbors, in the values as stored.
  ///
  /// The result depends on the number of pixels of each color, not on their positions. It is transparent black if all
  /// pixels are transparent.
  ///
  /// - Complexity: linear in the number of pixels, which are read twice. The work for the histogram itself is that for
  ///   about 100 000 pixels.
  public func dominantColor() -> Pixel {
    let bytes = pixels.span
    guard let peak = ColorHistogram(bytes).peak else { return Pixel(red: 0, green: 0, blue: 0, alpha: 0) }
    var sum = SIMD4<UInt64>.zero
    for offset in stride(from: 0, to: bytes.count, by: 4) {
      let pixel = bytes.pixel(at: offset)
      guard peak.contains(pixel) else { continue }
      var value = SIMD4<UInt32>(truncatingIfNeeded: pixel)
      value = value &* value.w
      value.w = UInt32(pixel.w)
      sum &+= SIMD4<UInt64>(truncatingIfNeeded: value)
    }
    // Rounds half up. The sum of the alphas is positive, because the peak contains the heaviest bin.
    let mean = SIMD4<UInt8>(truncatingIfNeeded: (sum &+ sum.w / 2) / SIMD4(repeating: sum.w))
    return Pixel(red: mean.x, green: mean.y, blue: mean.z)
  }
}
