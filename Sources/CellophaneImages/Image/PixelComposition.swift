extension SIMD4<UInt8> {
  /// Creates the four bytes of `pixel`.
  init(_ pixel: Image.Pixel) { self.init(pixel.red, pixel.green, pixel.blue, pixel.alpha) }

  /// Returns this pixel over the pixel `below`, both with straight alpha.
  ///
  /// The operator is "over" of Porter and Duff, Compositing Digital Images, SIGGRAPH 1984, for colors that are not
  /// premultiplied. Each component is the exact result, rounded half up.
  @inline(__always)
  func over(_ below: SIMD4<UInt8>) -> SIMD4<UInt8> {
    if w == 0 { return below }
    if w == 255 || below.w == 0 { return self }
    let (alpha, rest) = (UInt32(w), 255 - UInt32(w))
    if below.w == 255 {
      var result = below
      for index in 0..<3 {
        result[index] = UInt8((UInt32(self[index]) * alpha + UInt32(below[index]) * rest + 127) / 255)
      }
      return result
    }
    // The shares of both colors in 1/65 025.
    let (upper, lower) = (alpha * 255, UInt32(below.w) * rest)
    let total = upper + lower
    var result = SIMD4(0, 0, 0, UInt8((total + 127) / 255))
    for index in 0..<3 {
      let sum = UInt32(self[index]) * upper + UInt32(below[index]) * lower
      result[index] = UInt8((sum + total / 2) / total)
    }
    return result
  }
}
