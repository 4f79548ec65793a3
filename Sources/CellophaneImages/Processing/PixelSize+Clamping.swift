extension PixelSize {
  /// The size with sides in 1...2^31, so that products of sides do not overflow.
  var clamped: PixelSize {
    PixelSize(width: min(max(width, 1), 1 << 31), height: min(max(height, 1), 1 << 31))
  }
}
