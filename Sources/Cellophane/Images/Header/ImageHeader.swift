/// A format of picture files that can be read and written.
public enum ImageFormat: String, Sendable, CaseIterable {
  /// Portable Network Graphics (ISO/IEC 15948).
  case png
  /// JPEG (ISO/IEC 10918), baseline or progressive, 8 bits per sample.
  case jpeg

  /// Its name as one writes it.
  var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    }
  }
}

/// What a picture file says about itself before its pixels.
public struct ImageHeader: Sendable, Equatable {
  /// How a file stores colours. All of them decode to red, green, blue and alpha.
  public enum ColorModel: String, Sendable, CaseIterable {
    /// Shades of grey.
    case gray
    /// Shades of grey with alpha.
    case grayAlpha = "gray-alpha"
    /// Indices into a palette.
    case indexed
    /// Red, green and blue; in a JPEG mostly as brightness and two colour differences.
    case rgb
    /// Red, green and blue with alpha.
    case rgba
    /// Four printing inks, in a JPEG only.
    case cmyk
  }

  /// The format, told from the bytes.
  public let format: ImageFormat
  /// The size as stored, before orientation.
  public let size: PixelSize
  /// How the picture has to be turned to be upright.
  public let orientation: Orientation
  /// Bits per sample, 1...16.
  public let bitDepth: Int
  /// How colours are stored.
  public let colorModel: ColorModel
  /// True when the picture comes in several refinements: an interlaced PNG, a JPEG in several scans.
  public let isProgressive: Bool
  /// The memory that all coefficients of a JPEG take while several scans are put together, in bytes.
  let coefficientBytes: Int
  /// True when a JPEG's coefficients are coded arithmetically instead of by Huffman's codes.
  let isArithmetic: Bool

  /// The size as shown, after orientation.
  public var displaySize: PixelSize { orientation.turned(size) }

  /// Reads the header at the start of `bytes`, allocating nothing that grows with the picture.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt`` or ``LoadError/Kind/truncated``.
  /// - Complexity: linear in the number of the file's blocks; pixels are not read.
  init(of bytes: [UInt8]) throws(LoadError) {
    let file = ByteView(bytes)
    if file.starts(with: PNGHeader.signature) {
      self = try PNGHeader.read(file)
    } else if file.starts(with: JPEGHeader.signature) {
      self = try JPEGHeader.read(file)
    } else {
      throw ForeignFormat.error(for: file)
    }
  }

  init(
    format: ImageFormat, size: PixelSize, orientation: Orientation, bitDepth: Int, colorModel: ColorModel,
    isProgressive: Bool, coefficientBytes: Int = 0, isArithmetic: Bool = false
  ) {
    self.format = format
    self.size = size
    self.orientation = orientation
    self.bitDepth = bitDepth
    self.colorModel = colorModel
    self.isProgressive = isProgressive
    self.coefficientBytes = coefficientBytes
    self.isArithmetic = isArithmetic
  }
}
