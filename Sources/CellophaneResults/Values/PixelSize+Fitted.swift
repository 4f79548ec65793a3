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
    // A side beyond the accepted ones may not have been checked yet.
    let most = Double(ListLayout.lengths.upperBound) * SimulationConfiguration.Viewport.densities.upperBound
    func pixels(_ length: Int) -> Int { Int(min(max(1, (Double(length) * density).rounded()), most)) }
    return PixelSize(width: pixels(width), height: pixels(height))
  }
}
