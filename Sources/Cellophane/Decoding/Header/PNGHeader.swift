/// Reads what stands before the pixels of a PNG (ISO/IEC 15948, sections 5 and 11).
enum PNGHeader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func read(_ file: ByteView) throws(LoadError) -> ImageHeader {
    guard let length = file.number32(at: 8), let type = file.number32(at: 12) else { throw ended(file) }
    if type == chunk("CgBI") {
      throw LoadError(.unsupported, "the PNG is in Apple's private variant (CgBI); export it again")
    }
    guard type == chunk("IHDR"), length == 13 else {
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
      format: .png, size: PixelSize(width: width, height: height), orientation: orientation(in: file),
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
  private static func orientation(in file: ByteView) -> Orientation {
    var offset = signature.count
    while let length = file.number32(at: offset), let type = file.number32(at: offset + 4) {
      let content = offset + 8
      if type == chunk("eXIf") {
        return file.part(from: content, length: length).map(Orientation.init(tiff:)) ?? .up
      }
      if type == chunk("IEND") { break }
      offset = content + length + 4
    }
    return .up
  }

  private static func chunk(_ name: String) -> Int {
    name.utf8.reduce(0) { $0 << 8 | Int($1) }
  }
}
