/// A decoded image: rows from top to bottom without padding, 4 bytes per pixel (red, green, blue, straight
/// alpha).
///
/// An image is a value. Copies share the pixels.
public struct Image: Sendable, Equatable {
  /// The width in pixels, at least 1.
  public let width: Int
  /// The height in pixels, at least 1.
  public let height: Int
  /// The rows, `width * height * 4` bytes. Access does not copy them; `pixels.span` reads them in place, and
  /// ``withMutablePixels(_:)`` changes them.
  public internal(set) var pixels: [UInt8]
  /// True if the file is truncated, damaged or still being received.
  ///
  /// Missing rows are transparent black, and a progressive image may be less sharp than the complete one.
  public let isPartial: Bool
  /// The deviations of the file from its format that leave every pixel right.
  public let warnings: [ImageWarning]
  /// The color space of the pixels; nil for sRGB, which is also assumed for files without a declaration.
  ///
  /// Nil after a conversion to sRGB, and for CMYK, which is mixed without a profile. Encoded files contain it.
  public let colorProfile: ColorProfile?
  /// The rotation and mirroring that the pixels still need; ``Orientation/up`` if it was applied to them.
  ///
  /// Encoded files contain it as EXIF, unless it is `up`.
  public let orientation: Orientation

  /// One pixel with straight alpha.
  public struct Pixel: Hashable, Sendable {
    /// The color, 0...255 per component.
    public var red, green, blue: UInt8
    /// The opacity from 0, transparent, to 255, opaque.
    public var alpha: UInt8

    /// Creates a pixel, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }

  /// Creates an image of `pixels`, which must have `width * height * 4` bytes.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, at least 1.
  ///   - height: The height in pixels, at least 1.
  ///   - pixels: The rows from top to bottom.
  ///   - colorProfile: The color space of the pixels; nil for sRGB.
  ///   - orientation: The rotation and mirroring that the pixels still need.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the number of bytes is wrong or a side is not positive.
  public init(
    width: Int, height: Int, pixels: [UInt8], colorProfile: ColorProfile? = nil,
    orientation: Orientation = .up
  ) throws(LoadError) {
    guard let count = PixelSize(width: width, height: height).byteCount else {
      throw LoadError(
        .invalidRequest, "\(width)x\(height) is not a valid image size; both sides must be positive")
    }
    guard pixels.count == count else {
      throw LoadError(
        .invalidRequest, "an image of \(width)x\(height) needs \(count) bytes of pixels, not \(pixels.count)")
    }
    self.init(
      size: PixelSize(width: width, height: height), validatedPixels: pixels, colorProfile: colorProfile,
      orientation: orientation)
  }

  init(
    size: PixelSize, validatedPixels pixels: [UInt8], isPartial: Bool = false, warnings: [ImageWarning] = [],
    colorProfile: ColorProfile? = nil, orientation: Orientation = .up
  ) {
    width = size.width
    height = size.height
    self.isPartial = isPartial
    self.warnings = warnings
    self.colorProfile = colorProfile
    self.orientation = orientation
    self.pixels = pixels
  }

  /// The pixel in column `x` and row `y`, which must be within the image.
  public subscript(x: Int, y: Int) -> Pixel {
    precondition((0..<width).contains(x) && (0..<height).contains(y), "the pixel is outside of the image")
    let first = (y * width + x) * 4
    return Pixel(
      red: pixels[first], green: pixels[first + 1], blue: pixels[first + 2], alpha: pixels[first + 3])
  }

  /// True if every pixel has alpha 255.
  ///
  /// - Complexity: linear in the number of pixels before the first one with another alpha.
  package var isOpaque: Bool {
    let bytes = pixels.span
    var index = 3
    while index < bytes.count {
      if bytes[index] != 255 { return false }
      index += 4
    }
    return true
  }
}

extension Image {
  /// The maximum memory for a file and its decoding, in bytes. 600 MB: the largest image (400 MB) and half as
  /// much for working memory. At most half of the process's limit.
  ///
  /// An image needs more if its coefficients or rows are larger than its pixels: progressive images from
  /// about 85 million pixels, interlaced images that are reduced, and PNGs with rows of many millions of
  /// pixels.
  static let maximumWorkingBytes = min(600_000_000, (MemoryLimit.ofProcess ?? .max) / 2)
}
