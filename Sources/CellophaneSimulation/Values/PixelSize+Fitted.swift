internal import Cellophane

extension PixelSize {
  /// The size at which a picture of this size is shown whole within `frame`, as the decoder fits it: never
  /// enlarged.
  func fitted(into frame: PixelSize) -> PixelSize {
    width <= frame.width && height <= frame.height ? self : shaped(within: frame)
  }
}
