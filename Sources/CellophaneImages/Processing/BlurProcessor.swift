/// Blurs images by three box filters in each direction.
struct BlurProcessor: ImageProcessor {
  let radius: Double

  var identifier: String? { "blur(\(radius))" }

  /// The maximum length of a row or column. 2^20: the two buffers of four lines then have 128 MiB.
  private static let maximumSide = 1 << 20

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    guard !radius.isNaN else {
      throw LoadError(.invalidRequest, "the radius of the blur is not a number; pass 0 or more pixels")
    }
    guard let filter = BoxFilter(deviation: radius) else { return image }
    let (width, height) = (image.width, image.height)
    guard max(width, height) <= Self.maximumSide else {
      throw LoadError(
        .imageTooLarge,
        "an image of \(width)x\(height) cannot be blurred; resize it to sides of at most \(Self.maximumSide) pixels"
      )
    }
    try image.withMutablePixels { bytes throws(LoadError) in
      var rows = BlurredLines(count: width)
      try rows.blur(&bytes, lines: height, along: 4, across: width * 4, by: filter)
      var columns = BlurredLines(count: height)
      try columns.blur(&bytes, lines: width, along: width * 4, across: 4, by: filter)
    }
    return image
  }
}
