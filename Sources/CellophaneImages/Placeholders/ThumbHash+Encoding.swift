extension ThumbHash {
  /// The maximum width and height that are encoded. 100, as in the reference implementation: more pixels change
  /// nothing.
  static let maximumSide = 100

  /// Creates the placeholder of an image of any size.
  ///
  /// A larger image is first reduced to at most 100x100 pixels by area averaging. Smaller images result in the bytes of
  /// the reference implementation. The orientation of the image is applied. Colors are encoded as stored, so the image
  /// should be sRGB.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the image was decoded without its pixels, the errors of
  ///   ``ImageProcessing/resize(to:mode:filter:enlarges:)``, or ``LoadError/cancelled``.
  /// - Complexity: linear in the number of pixels.
  public init(encoding image: Image) throws(LoadError) {
    let limit = PixelSize(width: Self.maximumSide, height: Self.maximumSide)
    let image = try image.processed(by: [.resize(to: limit)]).upright()
    let channels = Channels(image)
    let (width, height) = (image.width, image.height)
    let longest = Self.longerTerms(hasAlpha: channels.hasAlpha)
    func count(_ side: Int) -> Int {
      max(1, Int((Double(longest * side) / Double(max(width, height))).rounded()))
    }
    let (columns, rows) = (count(width), count(height))
    let transform = CosineTransform(
      channels.values, width: width, columns: max(columns, channels.hasAlpha ? 5 : 3),
      rows: max(rows, channels.hasAlpha ? 5 : 3))
    let lightness = (columns: max(columns, Self.minimumTerms), rows: max(rows, Self.minimumTerms))
    self.init(
      transform, hasAlpha: channels.hasAlpha, isLandscape: width > height, lightness: lightness,
      shorter: min(columns, rows))
  }

  private init(
    _ transform: CosineTransform, hasAlpha: Bool, isLandscape: Bool, lightness: (columns: Int, rows: Int),
    shorter: Int
  ) {
    let mean = transform.coefficients[0]
    let lightnessChannel = QuantizedChannel(transform, 0, Self.terms(lightness))
    let yellow = QuantizedChannel(transform, 1, Self.terms(Self.colorTerms))
    let red = QuantizedChannel(transform, 2, Self.terms(Self.colorTerms))
    var header = UInt64(QuantizedChannel.level(63 * mean.x, maximum: 63))
    header |= UInt64(QuantizedChannel.level(31.5 + 31.5 * mean.y, maximum: 63)) << 6
    header |= UInt64(QuantizedChannel.level(31.5 + 31.5 * mean.z, maximum: 63)) << 12
    header |= UInt64(QuantizedChannel.level(31 * lightnessChannel.scale, maximum: 31)) << 18
    header |= (hasAlpha ? 1 : 0) << 23
    header |= UInt64(shorter) << 24
    header |= UInt64(QuantizedChannel.level(63 * yellow.scale, maximum: 63)) << 27
    header |= UInt64(QuantizedChannel.level(63 * red.scale, maximum: 63)) << 33
    header |= (isLandscape ? 1 : 0) << 39
    var bytes = (0..<5).map { UInt8(truncatingIfNeeded: header >> UInt64(8 * $0)) }
    var nibbles = lightnessChannel.nibbles + yellow.nibbles + red.nibbles
    if hasAlpha {
      let alpha = QuantizedChannel(transform, 3, Self.terms(Self.alphaTerms))
      let level = QuantizedChannel.level(15 * mean.w, maximum: 15)
      bytes.append(level | QuantizedChannel.level(15 * alpha.scale, maximum: 15) << 4)
      nibbles += alpha.nibbles
    }
    for index in stride(from: 0, to: nibbles.count, by: 2) {
      bytes.append(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0))
    }
    self.init(unchecked: bytes)
  }
}

/// The pixels of an image as lightness, yellow minus blue, red minus green, and alpha.
///
/// Transparent pixels have the mean color of the image. The order of operations is that of the reference
/// implementation, because rounding errors decide some bits of uniform images.
private struct Channels {
  private(set) var values: [SIMD4<Double>] = []
  let hasAlpha: Bool

  init(_ image: Image) {
    let pixels = image.pixels.span
    var sum = SIMD4<Double>.zero
    for offset in stride(from: 0, to: pixels.count, by: 4) {
      let pixel = SIMD4<Double>(SIMD4<Int32>(truncatingIfNeeded: pixels.pixel(at: offset)))
      let alpha = pixel.w / 255
      sum += SIMD4(alpha / 255, alpha / 255, alpha / 255, 1 / 255) * SIMD4(pixel.x, pixel.y, pixel.z, 0)
      sum.w += alpha
    }
    let mean = sum.w > 0 ? sum / sum.w : .zero
    hasAlpha = sum.w < Double(pixels.count / 4)
    values.reserveCapacity(pixels.count / 4)
    for offset in stride(from: 0, to: pixels.count, by: 4) {
      let pixel = SIMD4<Double>(SIMD4<Int32>(truncatingIfNeeded: pixels.pixel(at: offset)))
      let alpha = pixel.w / 255
      let color = mean * (1 - alpha) + alpha / 255 * pixel
      let (red, green, blue) = (color.x, color.y, color.z)
      values.append(SIMD4((red + green + blue) / 3, (red + green) / 2 - blue, red - green, alpha))
    }
  }
}

/// The coefficients of one channel as numbers of 4 bits.
private struct QuantizedChannel {
  /// The largest absolute coefficient.
  let scale: Double
  /// The coefficients: 0 for `-scale`, 15 for `scale`.
  let nibbles: [UInt8]

  init(_ transform: CosineTransform, _ channel: Int, _ terms: [(column: Int, row: Int)]) {
    let values = terms.map { transform.coefficients[$0.row * transform.columns + $0.column][channel] }
    let scale = values.reduce(0) { max($0, abs($1)) }
    self.scale = scale
    nibbles = values.map { scale > 0 ? Self.level(15 * (0.5 + 0.5 / scale * $0), maximum: 15) : 0 }
  }

  /// Returns `value` rounded half up and clamped to `0...maximum`; 0 for NaN.
  static func level(_ value: Double, maximum: Double) -> UInt8 {
    value >= 0 ? UInt8(min(value, maximum).rounded()) : 0
  }
}
