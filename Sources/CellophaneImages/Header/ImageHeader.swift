/// The properties that an image file declares before its pixels.
public struct ImageHeader: Sendable, Equatable {
  /// The color representation in a file. All models decode to red, green, blue and alpha.
  package enum ColorModel: String, Sendable, CaseIterable {
    /// Shades of gray.
    case gray
    /// Shades of gray with alpha.
    case grayAlpha = "gray-alpha"
    /// Indices into a palette.
    case indexed
    /// Red, green and blue. Most JPEG files store them as luma and two chroma components.
    case rgb
    /// Red, green and blue with alpha.
    case rgba
    /// The four printing inks cyan, magenta, yellow and black. JPEG only.
    case cmyk
  }

  /// The format, identified from the bytes.
  public let format: ImageFormat
  /// The size as stored, before orientation is applied.
  public let size: PixelSize
  /// The rotation and mirroring that make the image upright.
  package let orientation: Orientation
  /// The number of bits per sample, 1...16.
  package let bitDepth: Int
  /// The color representation in the file.
  package let colorModel: ColorModel
  /// True if the file refines the image in several steps: an interlaced PNG or a JPEG with several scans.
  public let isProgressive: Bool
  /// True if the file has several frames. Only the first is decoded.
  public let isAnimated: Bool
  /// The memory for an intermediate form of the complete image in the codec, in bytes: the coefficients of a JPEG with
  /// several scans.
  package let bufferBytes: Int
  /// The minimum size of a complete file with this header, in bytes.
  let minimumFileBytes: Int

  /// The size as displayed, after orientation is applied.
  public var displaySize: PixelSize { orientation.applied(to: size) }

  package init(
    format: ImageFormat, size: PixelSize, orientation: Orientation, bitDepth: Int, colorModel: ColorModel,
    isProgressive: Bool, bufferBytes: Int = 0, minimumFileBytes: Int = 0, isAnimated: Bool = false
  ) {
    self.format = format
    self.size = size
    self.orientation = orientation
    self.bitDepth = bitDepth
    self.colorModel = colorModel
    self.isProgressive = isProgressive
    self.isAnimated = isAnimated
    self.bufferBytes = bufferBytes
    self.minimumFileBytes = minimumFileBytes
  }
}
