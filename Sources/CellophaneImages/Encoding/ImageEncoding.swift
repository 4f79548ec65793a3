extension Image {
  /// The format of an encoded image and its settings.
  public struct Encoding: Sendable {
    package let encoder: any FormatEncoder

    package init(_ encoder: any FormatEncoder) { self.encoder = encoder }

    /// The format of the file.
    public var format: ImageFormat { encoder.format }

    /// PNG: lossless, with alpha unless every pixel is opaque.
    public static let png = Encoding(PNGEncoder())

    /// PNG with a compression level of zlib, from 0, the fastest, to 9, the smallest. Values outside are clamped.
    public static func png(level: Int) -> Encoding { Encoding(PNGEncoder(level: min(max(level, 0), 9))) }

    /// JPEG: lossy, without alpha; the image is composed over white.
    ///
    /// - Parameters:
    ///   - quality: The quality of libjpeg. Values outside of 1...100 are clamped.
    ///   - isProgressive: Whether the file has several scans, so that a part of it shows the complete image less sharp.
    ///     Encoding takes about twice the time, and the file is some percent smaller.
    ///   - subsampling: The resolution of the colors.
    public static func jpeg(
      quality: Int = 85, isProgressive: Bool = false, subsampling: ChromaSubsampling = .yuv420
    ) -> Encoding {
      Encoding(
        JPEGEncoder(
          quality: min(max(quality, 1), 100), isProgressive: isProgressive, subsampling: subsampling))
    }
  }

  /// The resolution of the colors beside that of the brightness in a lossy file.
  public enum ChromaSubsampling: Sendable, Hashable {
    /// Half the width and half the height (4:2:0), for photographs.
    case yuv420
    /// Half the width (4:2:2).
    case yuv422
    /// The complete resolution (4:4:4), for text and graphics.
    case yuv444
  }

  /// Returns the image as a file. The file has the color profile of the image, unless it is sRGB, and its
  /// orientation, unless it is upright.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` if the image is too large for the format (JPEG allows 65 500
  ///   pixels per side) or its library has no encoder, ``LoadError/Kind/imageTooLarge`` if an allocation fails,
  ///   ``LoadError/cancelled`` for a WebP if the task is cancelled.
  public func encoded(as encoding: Encoding) throws(LoadError) -> [UInt8] {
    try encoded(as: encoding, ImageMetadata(of: self))
  }

  /// Returns the image as a file with `metadata`.
  package func encoded(as encoding: Encoding, _ metadata: ImageMetadata) throws(LoadError) -> [UInt8] {
    var file: [UInt8] = []
    try encoding.encoder.encode(self, metadata) { piece throws(LoadError) in
      unsafe piece.withUnsafeBufferPointer { unsafe file.append(contentsOf: $0) }
    }
    return file
  }

  /// Encodes the image and passes the file to `write` in pieces. Of PNG and JPEG, memory never holds the complete file.
  ///
  /// - Throws: The errors of ``encoded(as:)`` and of `write`.
  public func encode(
    as encoding: Encoding, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    try encoding.encoder.encode(self, ImageMetadata(of: self), to: write)
  }
}

extension Image.Encoding: Hashable {
  /// Compares the formats and their settings.
  public static func == (a: Self, b: Self) -> Bool { AnyHashable(a.encoder) == AnyHashable(b.encoder) }

  /// Hashes the format and its settings.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(encoder)) }
}
