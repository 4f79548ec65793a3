internal import CImageCodecs

extension Image {
  /// How a picture is written.
  public enum Encoding: Sendable, Hashable {
    /// Lossless, with alpha unless every pixel is opaque.
    case png
    /// Lossy, without alpha: the picture is put on white. `quality` is 1...100 as libjpeg means it; what lies
    /// outside is moved to the nearer end.
    case jpeg(quality: Int = 85)
  }

  /// The picture as a file.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` when the format cannot hold a picture of this size (a JPEG ends
  ///   at 65 500 pixels on a side), ``LoadError/Kind/imageTooLarge`` when memory runs out.
  public func encoded(as encoding: Encoding) throws(LoadError) -> [UInt8] {
    var file: [UInt8] = []
    try encode(as: encoding) { piece throws(LoadError) in
      unsafe piece.withUnsafeBufferPointer { unsafe file.append(contentsOf: $0) }
    }
    return file
  }

  /// Hands the picture as a file to `write`, piece by piece, so that the file is never whole in memory.
  ///
  /// - Throws: As ``encoded(as:)``, and what `write` throws.
  public func encode(
    as encoding: Encoding, to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    let writer = try ImageWriter(self, encoding)
    // 1 MB of pixels, but whole rows: a piece is seldom larger, and there are few of them.
    let step = max(1, (1 << 20) / (width * 4))
    for row in stride(from: 0, to: height, by: step) {
      try writer.write(self, rows: row..<min(row + step, height), to: write)
    }
  }
}

/// Writes the rows of one picture file.
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
    // A JPEG's first rows make nothing.
    guard unsafe piece.count > 0 else { return }
    try write(unsafe UnsafeBufferPointer(start: piece.bytes, count: piece.count).span)
  }
}

extension LoadError {
  fileprivate static func cannotHold(_ image: Image) -> LoadError {
    LoadError(.unsupported, "the format does not hold a picture of \(image.width)x\(image.height)")
  }
}
