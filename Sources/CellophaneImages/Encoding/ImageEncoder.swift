internal import CImageCodecs

extension Image {
  /// The format of an encoded image and its settings.
  public enum Encoding: Sendable, Hashable {
    /// PNG: lossless, with alpha unless every pixel is opaque.
    case png
    /// JPEG: lossy, without alpha; the image is composed over white. `quality` is the libjpeg quality. Values
    /// outside of 1...100 are clamped.
    case jpeg(quality: Int = 85)
  }

  /// Returns the image as a file. The file has the color profile of the image, unless it is sRGB, and its
  /// orientation, unless it is upright.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` if the image is too large for the format (JPEG allows 65 500
  ///   pixels per side), ``LoadError/Kind/imageTooLarge`` if an allocation fails.
  public func encoded(as encoding: Encoding) throws(LoadError) -> [UInt8] {
    try encoded(as: encoding, ImageMetadata(of: self))
  }

  /// Returns the image as a file with `metadata`.
  package func encoded(as encoding: Encoding, _ metadata: ImageMetadata) throws(LoadError) -> [UInt8] {
    var file: [UInt8] = []
    try encode(as: encoding, metadata) { piece throws(LoadError) in
      unsafe piece.withUnsafeBufferPointer { unsafe file.append(contentsOf: $0) }
    }
    return file
  }

  /// Encodes the image and passes the file to `write` in pieces, so that memory never holds the complete
  /// file.
  ///
  /// - Throws: The errors of ``encoded(as:)`` and of `write`.
  public func encode(
    as encoding: Encoding, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    try encode(as: encoding, ImageMetadata(of: self), to: write)
  }

  private func encode(
    as encoding: Encoding, _ metadata: ImageMetadata, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    let format = encoding.format
    let parts = metadata.parts(format)
    // The number of bytes in front of the metadata that are still to be written.
    var missing = parts.isEmpty ? 0 : ImageMetadata.offset(format)
    let writer = try ImageWriter(self, encoding)
    // Rows of 1 MB of pixels: a piece of the file is rarely larger, and the number of calls is small.
    let step = max(1, (1 << 20) / (width * 4))
    for row in stride(from: 0, to: height, by: step) {
      try writer.write(self, rows: row..<min(row + step, height)) { piece throws(LoadError) in
        guard missing > 0 else { return try write(piece) }
        let count = min(missing, piece.count)
        try write(piece.extracting(first: count))
        missing -= count
        guard missing == 0 else { return }
        try write(parts.span)
        if piece.count > count { try write(piece.extracting(droppingFirst: count)) }
      }
    }
  }
}

extension Image.Encoding {
  /// The format of the file.
  package var format: ImageFormat {
    switch self {
    case .png: .png
    case .jpeg: .jpeg
    }
  }
}

/// A writer of the rows of one image file.
@safe
private struct ImageWriter: ~Copyable {
  private let writer: OpaquePointer

  init(_ image: Image, _ encoding: Image.Encoding) throws(LoadError) {
    guard let width = UInt32(exactly: image.width), let height = UInt32(exactly: image.height) else {
      throw .cannotHold(image)
    }
    let (format, opaque, quality): (CodecFormat, Bool, Int) =
      switch encoding {
      case .png: (.PNG, image.isOpaque, 0)
      case .jpeg(let quality): (.JPEG, false, min(max(quality, 1), 100))
      }
    let handle = unsafe cellophane_writer_open(
      format, CodecPicture(width: width, height: height, opaque: opaque, quality: Int32(quality)))
    guard let handle = unsafe handle else { throw .noMemoryForPixels }
    unsafe writer = handle
  }

  deinit {
    unsafe cellophane_writer_close(writer)
  }

  borrowing func write(
    _ image: Image, rows: Range<Int>, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    let bytes = image.width * 4
    let strip = image.pixels.span.extracting(rows.lowerBound * bytes..<rows.upperBound * bytes)
    let piece = unsafe strip.withUnsafeBufferPointer { strip in
      guard let start = strip.baseAddress else {
        return unsafe CodecPiece(status: .unsupported, bytes: nil, count: 0)
      }
      return unsafe cellophane_writer_write(writer, start, UInt32(rows.count))
    }
    switch unsafe piece.status {
    case .ready: break
    case .outOfMemory: throw .noMemoryForPixels
    default: throw .cannotHold(image)
    }
    // The first rows of a JPEG may produce no output.
    guard unsafe piece.count > 0 else { return }
    try write(unsafe UnsafeBufferPointer(start: piece.bytes, count: piece.count).span)
  }
}

extension LoadError {
  fileprivate static func cannotHold(_ image: Image) -> LoadError {
    LoadError(
      .unsupported, "the format cannot hold an image of \(image.width)x\(image.height); make it smaller")
  }
}
