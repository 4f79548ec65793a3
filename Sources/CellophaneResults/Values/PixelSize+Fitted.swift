package import Cellophane

extension PixelSize {
  /// Returns the size at which the decoder fits an image of this size into `frame`: never enlarged, never
  /// cropped.
  package func fitted(into frame: PixelSize) -> PixelSize {
    width <= frame.width && height <= frame.height ? self : shaped(within: frame)
  }
}
