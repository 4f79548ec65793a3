/// A decoded picture: rows from top to bottom without padding, 4 bytes per pixel (red, green, blue, alpha), alpha
/// not premultiplied. A value; copies share the pixels.
public struct Image: Sendable, Equatable {
  /// Pixels from left to right, at least 1.
  public let width: Int
  /// Pixels from top to bottom, at least 1.
  public let height: Int
  /// The rows, `width * height * 4` bytes. Handed out without copying; `pixels.span` reads them in place.
  public let pixels: [UInt8]
  /// True when the file ended early or was damaged, or has not arrived yet: rows that are missing are transparent
  /// black, and a progressive picture may be less sharp than it was meant to be.
  public let isPartial: Bool

  /// One pixel; alpha not premultiplied.
  public struct Pixel: Hashable, Sendable {
    /// 0...255.
    public var red, green, blue: UInt8
    /// 0 is transparent, 255 opaque.
    public var alpha: UInt8

    /// A pixel, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }

  /// A picture of `pixels`, which holds `width * height * 4` bytes.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when the sizes do not agree or one is not positive.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(LoadError) {
    guard let count = PixelSize(width: width, height: height).byteCount else {
      throw LoadError(.invalidRequest, "\(width)x\(height) is not the size of a picture")
    }
    guard pixels.count == count else {
      throw LoadError(
        .invalidRequest, "a picture of \(width)x\(height) needs \(count) bytes of pixels, not \(pixels.count)"
      )
    }
    self.init(size: PixelSize(width: width, height: height), agreedPixels: pixels)
  }

  init(size: PixelSize, agreedPixels pixels: [UInt8], isPartial: Bool = false) {
    width = size.width
    height = size.height
    self.isPartial = isPartial
    self.pixels = pixels
  }

  /// The pixel in column `x` and row `y`; both must lie within the picture.
  public subscript(x: Int, y: Int) -> Pixel {
    precondition((0..<width).contains(x) && (0..<height).contains(y), "the pixel lies outside the picture")
    let first = (y * width + x) * 4
    return Pixel(
      red: pixels[first], green: pixels[first + 1], blue: pixels[first + 2], alpha: pixels[first + 3])
  }

  /// True when every pixel's alpha is 255. Reads the pixels up to the first that is not.
  public var isOpaque: Bool {
    let bytes = pixels.span
    var index = 3
    while index < bytes.count {
      if bytes[index] != 255 { return false }
      index += 4
    }
    return true
  }
}
