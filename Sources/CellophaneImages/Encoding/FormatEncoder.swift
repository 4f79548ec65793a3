package import CImageCodecs

/// An encoder of one image file format with its settings.
package protocol FormatEncoder: Sendable, Hashable {
  /// The format.
  var format: ImageFormat { get }

  /// Encodes `image` with `metadata`, and passes the file to `write` in pieces.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` if the format cannot hold the image, ``LoadError/Kind/imageTooLarge`` if an
  ///   allocation fails, and the errors of `write`.
  func encode(
    _ image: Image, _ metadata: ImageMetadata, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError)
}

extension LoadError {
  /// The error for an image that is too large for a format.
  package static func cannotHold(_ image: Image) -> LoadError {
    LoadError(
      .unsupported, "the format cannot hold an image of \(image.width)x\(image.height); make it smaller")
  }
}

extension CodecPicture {
  /// The size of `image`.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` for a side of more than 32 bits.
  package init(_ image: Image) throws(LoadError) {
    guard let width = UInt32(exactly: image.width), let height = UInt32(exactly: image.height) else {
      throw .cannotHold(image)
    }
    self.init(width: width, height: height)
  }
}
