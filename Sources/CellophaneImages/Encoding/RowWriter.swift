internal import CImageCodecs

/// A writer of the rows of one image file.
@safe
struct RowWriter: ~Copyable {
  private let writer: OpaquePointer

  /// Creates the writer that `open` returns for the size of `image`.
  init(_ image: Image, _ open: (CodecPicture) -> OpaquePointer?) throws(LoadError) {
    let picture = try CodecPicture(image)
    guard let handle = unsafe open(picture) else { throw .noMemoryForPixels }
    unsafe writer = handle
  }

  deinit {
    unsafe cellophane_writer_close(writer)
  }

  /// Writes all rows of `image`, and inserts `parts` in the file at `offset`.
  borrowing func write(
    _ image: Image, inserting parts: [UInt8], at offset: Int,
    to write: (Span<UInt8>) throws(LoadError) -> Void
  ) throws(LoadError) {
    // The number of bytes in front of the parts that are still to be written.
    var missing = parts.isEmpty ? 0 : offset
    // Rows of 1 MB of pixels: a piece of the file is rarely larger, and the number of calls is small.
    let step = max(1, (1 << 20) / (image.width * 4))
    for row in stride(from: 0, to: image.height, by: step) {
      try self.write(image, rows: row..<min(row + step, image.height)) { piece throws(LoadError) in
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

  private borrowing func write(
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
