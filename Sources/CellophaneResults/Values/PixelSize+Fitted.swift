package import Cellophane

extension PixelSize {
  /// Returns the size at which the decoder fits an image of this size into `frame`: never enlarged, never
  /// cropped.
  package func fitted(into frame: PixelSize) -> PixelSize {
    width <= frame.width && height <= frame.height ? self : shaped(within: frame)
  }

  /// Returns the device pixels of a size in px, on a screen with `density` device pixels per px. Each side is
  /// rounded and has at least one pixel.
  package func pixels(at density: Double) -> PixelSize {
    // 65 536: the longest accepted side, 16 384 px, at the highest accepted density, 4. A side beyond it may not have been
    // checked yet.
    func pixels(_ length: Int) -> Int { Int(min(max(1, (Double(length) * density).rounded()), 65_536)) }
    return PixelSize(width: pixels(width), height: pixels(height))
  }
}
