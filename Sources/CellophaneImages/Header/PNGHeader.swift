/// A parser of the header and the orientation of a PNG (ISO/IEC 15948, sections 5 and 11).
package enum PNGHeader {
  /// The first bytes of every PNG.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ file: ByteView) throws(LoadError) -> ImageHeader {
    var chunks = PNGChunks(file)
    guard let (name, content) = chunks.next() else { throw truncated(file) }
    if name == .appleHeader {
      throw LoadError(
        .unsupported, "the PNG uses Apple's private variant (CgBI); export it as a standard PNG")
    }
    guard name == .header, content.count == 13 else {
      throw LoadError(.corrupt, "the first chunk of the PNG is not a valid header (IHDR)")
    }
    guard let width = file.number32(at: 16), let height = file.number32(at: 20),
      let depth = file.byte(at: 24), let color = file.byte(at: 25), let interlace = file.byte(at: 28)
    else { throw truncated(file) }
    let sides = 1...Int(Int32.max)
    guard sides.contains(width), sides.contains(height) else {
      throw LoadError(.corrupt, "the PNG header has an invalid size: \(width)x\(height)")
    }
    guard let model = colorModel(color, depth: depth), interlace <= 1 else {
      throw LoadError(
        .corrupt,
        "the PNG header is invalid: color type \(color), bit depth \(depth), interlace method \(interlace)")
    }
    return ImageHeader(
      format: .png, size: PixelSize(width: width, height: height), orientation: orientation(in: file, chunks),
      bitDepth: Int(depth), colorModel: model, isProgressive: interlace == 1,
      minimumFileBytes: minimumFileBytes(
        PixelSize(width: width, height: height), bitsPerPixel: Int(depth) * model.samples),
      isAnimated: animation(in: file) != nil)
  }

  /// Returns the minimum size of a complete file, in bytes.
  ///
  /// One byte of Deflate data expands to at most 1 032 bytes: 258 bytes need at least a quarter of a byte
  /// (RFC 1951, section 3.2.5).
  private static func minimumFileBytes(_ size: PixelSize, bitsPerPixel: Int) -> Int {
    // Larger images exceed every limit, and the product could overflow.
    guard let area = size.area, area <= 1 << 32 else { return 0 }
    return area / 8 * bitsPerPixel / 1_032
  }

  private static func truncated(_ file: ByteView) -> LoadError {
    LoadError(.truncated, "the PNG ends in its header, after \(file.count) bytes; load it again")
  }

  private static func colorModel(_ type: UInt8, depth: UInt8) -> ImageHeader.ColorModel? {
    switch (type, depth) {
    case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16): .gray
    case (2, 8), (2, 16): .rgb
    case (3, 1), (3, 2), (3, 4), (3, 8): .indexed
    case (4, 8), (4, 16): .grayAlpha
    case (6, 8), (6, 16): .rgba
    default: nil
    }
  }

  /// Reads the orientation from the eXIf chunk.
  ///
  /// The chunk may precede or follow the pixels, so all chunks up to IEND are visited. Data after IEND is not
  /// part of the image. A damaged chunk is ignored.
  private static func orientation(in file: ByteView, _ chunks: PNGChunks) -> Orientation {
    for (name, content) in chunks {
      if name == .exif { return file.intactChunk(content).map(Orientation.init(tiff:)) ?? .up }
      if name == .end { break }
    }
    return .up
  }
}

extension ImageHeader.ColorModel {
  /// The number of samples of a pixel.
  var samples: Int {
    switch self {
    case .gray, .indexed: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }
}
