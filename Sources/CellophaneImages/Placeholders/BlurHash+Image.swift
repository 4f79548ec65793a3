extension BlurHash {
  /// Returns the picture at a size.
  ///
  /// Its pixels differ from those of the reference implementation by at most 1, because of rounding.
  ///
  /// - Parameters:
  ///   - size: The size of the picture, at most 1024x1024. 32 pixels on the longer side suffice, because the result can
  ///     be enlarged without loss of detail.
  ///   - punch: The factor of the contrast. 1 keeps the contrast of the image, 0 results in ``averageColor``.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a side is not in 1...1024, or `punch` is negative or not finite.
  /// - Complexity: linear in the number of pixels.
  public func image(size: PixelSize, punch: Double = 1) throws(LoadError) -> Image {
    try CosineSeries.check(size, of: "BlurHash")
    guard punch >= 0, punch.isFinite else {
      throw LoadError(.invalidRequest, "the punch \(punch) is not valid; pass a finite number of at least 0")
    }
    let tables = SRGBLevels.shared
    let pixels = series(punch: Float(punch), tables).pixels(size) { light in
      SIMD4(tables.level(of: light.x), tables.level(of: light.y), tables.level(of: light.z), 255)
    }
    return Image(size: size, validatedPixels: pixels)
  }

  /// Returns the picture as a series in linear light.
  private func series(punch: Float, _ tables: SRGBLevels) -> CosineSeries {
    let (columns, rows) = components
    var series = CosineSeries(columns: columns, rows: rows, phase: 0)
    let average = averageColor
    series.coefficients[0] = SIMD4(
      Float(tables.light[Int(average.red)]), Float(tables.light[Int(average.green)]),
      Float(tables.light[Int(average.blue)]), 0)
    for index in 1..<columns * rows { series.coefficients[index] = coefficient(index) * (scale * punch) }
    return series
  }
}
