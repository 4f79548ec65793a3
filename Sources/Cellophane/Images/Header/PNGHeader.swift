/// Reads what stands before the pixels of a PNG (ISO/IEC 15948, sections 5 and 11).
enum PNGHeader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ file: ByteView) throws(LoadError) -> ImageHeader {
    var chunks = PNGChunks(file)
    guard let (name, content) = chunks.next() else { throw ended(file) }
    if name == .appleHeader {
      throw LoadError(.unsupported, "the PNG is in Apple's private variant (CgBI); export it again")
    }
    guard name == .header, content.count == 13 else {
      throw LoadError(.corrupt, "the PNG does not begin with its header")
    }
    guard let width = file.number32(at: 16), let height = file.number32(at: 20),
      let depth = file.byte(at: 24), let color = file.byte(at: 25), let interlace = file.byte(at: 28)
    else { throw ended(file) }
    let sides = 1...Int(Int32.max)
    guard sides.contains(width), sides.contains(height) else {
      throw LoadError(.corrupt, "the PNG states a size of \(width)x\(height)")
    }
    guard let model = colorModel(color, depth: depth), interlace <= 1 else {
      throw LoadError(
        .corrupt, "the PNG states colour type \(color), \(depth) bits and interlacing \(interlace)")
    }
    return ImageHeader(
      format: .png, size: PixelSize(width: width, height: height), orientation: orientation(in: file, chunks),
      bitDepth: Int(depth), colorModel: model, isProgressive: interlace == 1)
  }

  private static func ended(_ file: ByteView) -> LoadError {
    LoadError(.truncated, "the PNG ends within its header, after \(file.count) bytes")
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

  /// The eXIf chunk may stand before or behind the pixels, so that all chunks are visited. What follows IEND is not
  /// part of the picture.
  private static func orientation(in file: ByteView, _ chunks: PNGChunks) -> Orientation {
    for (name, content) in chunks {
      if name == .exif { return file.part(content).map(Orientation.init(tiff:)) ?? .up }
      if name == .end { break }
    }
    return .up
  }
}
