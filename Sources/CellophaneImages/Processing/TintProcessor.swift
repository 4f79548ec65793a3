/// Blends a color over each color and keeps alpha.
struct TintProcessor: ImageProcessor {
  let color: Image.Pixel

  var identifier: String? { "tint(\(SIMD4(color)))" }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    let opacity = UInt16(color.alpha)
    let tint = SIMD4(UInt16(color.red), UInt16(color.green), UInt16(color.blue), 0)
    let addend = tint &* opacity &+ 128
    let share = SIMD4(255 - opacity, 255 - opacity, 255 - opacity, 255)
    try image.mapPixels { pixel in
      let sum = SIMD4<UInt16>(truncatingIfNeeded: pixel) &* share &+ addend
      // The sum without 128, divided by 255 and rounded; exact up to 65 025.
      return SIMD4<UInt8>(truncatingIfNeeded: (sum &+ (sum &>> 8)) &>> 8)
    }
    return image
  }
}
