/// Makes the corners transparent outside of a quarter of a circle.
struct RoundedCornersProcessor: ImageProcessor {
  let radius: Double

  var identifier: String? { "corners(\(radius))" }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    guard !radius.isNaN else {
      throw LoadError(.invalidRequest, "the radius of the corners is not a number; pass 0 or more pixels")
    }
    let radius = min(radius, Double(min(image.width, image.height)) / 2)
    if radius > 0 { try image.clip(to: RoundedCorner(radius: radius)) }
    return image
  }
}

/// Keeps the largest circle around the center.
struct CircleProcessor: ImageProcessor {
  var identifier: String? { "circle" }

  func size(for size: PixelSize) -> PixelSize {
    let side = min(size.clamped.width, size.clamped.height)
    return PixelSize(width: side, height: side)
  }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    let side = size(for: PixelSize(width: image.width, height: image.height))
    return try RoundedCornersProcessor(radius: .infinity).process(image.cropped(toCenter: side))
  }
}

extension Image {
  /// Multiplies alpha by the part of each pixel that is within the rounded corners.
  ///
  /// Twice the radius must not exceed a side.
  fileprivate mutating func clip(to corner: RoundedCorner) throws(LoadError) {
    let (width, height) = (width, height)
    var bytes = pixels.mutableSpan
    for distance in 0..<corner.reach {
      try LoadError.throwIfCancelled()
      let shares = corner.shares(inRow: distance, width: width, height: height)
      for row in distance == height - 1 - distance ? [distance] : [distance, height - 1 - distance] {
        for (column, share) in shares.enumerated() {
          bytes.scaleAlpha(at: (row * width + column) * 4, by: share)
          let mirrored = width - 1 - column
          if mirrored != column { bytes.scaleAlpha(at: (row * width + mirrored) * 4, by: share) }
        }
      }
    }
  }
}

extension MutableSpan<UInt8> {
  /// Multiplies the alpha of the pixel at the byte `offset`. A transparent result is transparent black.
  fileprivate mutating func scaleAlpha(at offset: Int, by share: Double) {
    var pixel = span.pixel(at: offset)
    // Rounds half up. The share is within 0...1.
    pixel.w = UInt8(Double(pixel.w) * share + 0.5)
    store(pixel.w == 0 ? .zero : pixel, at: offset)
  }
}
