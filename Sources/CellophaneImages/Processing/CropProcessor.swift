/// Crops images to a box.
struct CropProcessor: ImageProcessor {
  let x, y, width, height: Int

  var identifier: String? { "crop(\(x) \(y) \(width) \(height))" }

  /// Returns the columns and rows that are kept of an image of `size`; nil if there are none.
  private func box(in size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
    guard let columns = Self.range(from: x, count: width, in: size.width),
      let rows = Self.range(from: y, count: height, in: size.height)
    else { return nil }
    return (columns, rows)
  }

  private static func range(from start: Int, count: Int, in length: Int) -> Range<Int>? {
    let (end, overflow) = start.addingReportingOverflow(max(count, 0))
    let (lower, upper) = (max(start, 0), min(overflow ? .max : end, length))
    return lower < upper ? lower..<upper : nil
  }

  func size(for size: PixelSize) -> PixelSize {
    box(in: size).map { PixelSize(width: $0.columns.count, height: $0.rows.count) } ?? size
  }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    guard let (columns, rows) = box(in: PixelSize(width: image.width, height: image.height)) else {
      throw LoadError(
        .invalidRequest,
        "the box of \(width)x\(height) pixels at (\(x), \(y)) contains no pixel of the image of "
          + "\(image.width)x\(image.height); choose a box within the image")
    }
    return try image.cropped(columns: columns, rows: rows)
  }
}

/// Crops images to an aspect ratio around the center.
struct AspectRatioProcessor: ImageProcessor {
  let ratio: PixelSize

  var identifier: String? { "aspect(\(ratio))" }

  func size(for size: PixelSize) -> PixelSize {
    guard ratio.width > 0, ratio.height > 0 else { return size }
    // Halving both sides keeps the ratio.
    let longest = max(ratio.width, ratio.height)
    let shift = max(0, Int.bitWidth - longest.leadingZeroBitCount - 31)
    return PixelSize(width: ratio.width >> shift, height: ratio.height >> shift).clamped
      .shaped(within: size.clamped)
  }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    guard ratio.width > 0, ratio.height > 0 else {
      throw LoadError(
        .invalidRequest,
        "the aspect ratio \(ratio.width):\(ratio.height) is not valid; both numbers must be positive")
    }
    return try image.cropped(toCenter: size(for: PixelSize(width: image.width, height: image.height)))
  }
}

extension Image {
  /// Returns the part of `size` around the center. If it cannot be centered exactly, it is half a pixel further to
  /// the left or top.
  consuming func cropped(toCenter size: PixelSize) throws(LoadError) -> Image {
    let (x, y) = ((width - size.width) / 2, (height - size.height) / 2)
    return try cropped(columns: x..<x + size.width, rows: y..<y + size.height)
  }

  /// Returns the part with `columns` and `rows`, which must be within the image and not empty.
  consuming func cropped(columns: Range<Int>, rows: Range<Int>) throws(LoadError) -> Image {
    if columns.count == width, rows.count == height { return self }
    let size = PixelSize(width: columns.count, height: rows.count)
    var result: [UInt8] = []
    result.reserveCapacity(size.width * size.height * 4)
    for row in rows {
      try LoadError.throwIfCancelled()
      let first = row * width
      result += pixels[(first + columns.lowerBound) * 4..<(first + columns.upperBound) * 4]
    }
    return try replacing(pixels: result, size: size)
  }
}
