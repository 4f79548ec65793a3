extension ThumbHash {
  /// The longer side of the picture that ``image()`` returns. 32, as in the reference implementation.
  private static let defaultSide = 32.0
  /// The factor of the color coefficients. 1.25, as in the reference implementation: quantization makes colors less
  /// saturated.
  private static let saturation: Float = 1.25

  /// The size of the picture that ``image()`` returns: 32 pixels on the longer side, with ``aspectRatio``.
  public var imageSize: PixelSize {
    let ratio = aspectRatio
    let shorter = Int((Self.defaultSide * min(ratio, 1 / ratio)).rounded())
    let longer = Int(Self.defaultSide)
    return ratio > 1
      ? PixelSize(width: longer, height: shorter) : PixelSize(width: shorter, height: longer)
  }

  /// Returns the picture at its size in the reference implementation, ``imageSize``.
  ///
  /// Its pixels differ from those of the reference implementation by at most 1: they are rounded to the nearest level,
  /// and the reference in JavaScript rounds down.
  public func image() -> Image { draw(imageSize) }

  /// Returns the picture at another size.
  ///
  /// - Parameter size: The size of the picture, at most 1024x1024. A placeholder has no detail for more pixels.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a side is not in 1...1024.
  /// - Complexity: linear in the number of pixels.
  public func image(size: PixelSize) throws(LoadError) -> Image {
    try CosineSeries.check(size, of: "ThumbHash")
    return draw(size)
  }

  private func draw(_ size: PixelSize) -> Image {
    Image(size: size, validatedPixels: series.pixels(size, Self.pixel))
  }

  /// The picture as a series in red, green, blue and alpha. The conversion of the channels to colors is linear, so it
  /// is applied to the coefficients.
  private var series: CosineSeries {
    let lightness = lightnessTerms
    let other = hasAlpha ? Self.alphaTerms : Self.colorTerms
    var series = CosineSeries(
      columns: max(lightness.columns, other.columns), rows: max(lightness.rows, other.rows), phase: 0.5)
    series.coefficients[0] = meanColor
    var index = 0
    func add(_ size: (columns: Int, rows: Int), _ scale: Float, _ color: (Float) -> SIMD4<Float>) {
      for term in Self.terms(size) {
        // The transform of the format is not normalized: all terms except the mean count twice.
        series.coefficients[term.row * series.columns + term.column] += color(2 * scale * coefficient(index))
        index += 1
      }
    }
    add(lightness, lightnessScale) { Self.color(lightness: $0) }
    add(Self.colorTerms, yellowScale * Self.saturation) { Self.color(yellow: $0) }
    add(Self.colorTerms, redScale * Self.saturation) { Self.color(red: $0) }
    if hasAlpha { add(Self.alphaTerms, alphaScale) { Self.color(alpha: $0) } }
    return series
  }

  /// The means of red, green, blue and alpha.
  var meanColor: SIMD4<Float> {
    Self.color(lightness: lightnessMean, yellow: yellowMean, red: redMean, alpha: alphaMean)
  }

  /// Returns red, green, blue and alpha in 0...1 for the channels of the format.
  ///
  /// The inverse of l = (r + g + b) / 3, p = (r + g) / 2 - b, q = r - g.
  private static func color(
    lightness: Float = 0, yellow: Float = 0, red: Float = 0, alpha: Float = 0
  ) -> SIMD4<Float> {
    let blue = lightness - yellow * 2 / 3
    let sum = 3 * lightness - blue
    return SIMD4((sum + red) / 2, (sum - red) / 2, blue, alpha)
  }

  /// Returns the nearest levels for a color. Values outside of 0...1 are clamped.
  @inline(__always)
  static func pixel(_ color: SIMD4<Float>) -> SIMD4<UInt8> {
    let levels = color * 255 + 0.5
    return SIMD4(level(levels.x), level(levels.y), level(levels.z), level(levels.w))
  }

  private static func level(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }
}
