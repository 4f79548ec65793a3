/// Replaces colors by their luma.
///
/// The luma of ITU-R BT.709, section 3.2: 0.2126 R + 0.7152 G + 0.0722 B, of the values as stored. The weights are in
/// 1/65 536 and sum to 65 536, so that grays are unchanged.
struct GrayscaleProcessor: ImageProcessor {
  var identifier: String? { "grayscale" }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    try image.mapPixels { pixel in
      let sum = UInt32(pixel.x) * 13_933 + UInt32(pixel.y) * 46_871 + UInt32(pixel.z) * 4_732
      // Rounds half up.
      let luma = UInt8(truncatingIfNeeded: (sum + 32_768) >> 16)
      return SIMD4(luma, luma, luma, pixel.w)
    }
    return image
  }
}
