extension StatedColor {
  /// The ICC profile goes before EXIF, which knows two spaces only.
  static func jpeg(_ file: ByteView, _ model: ImageHeader.ColorModel) -> StatedColor? {
    var parts = ProfileParts()
    var exif: ByteView?
    var blocks = JPEGBlocks(file)
    while let (marker, block) = blocks.next(), marker != 0xDA {
      if marker == 0xE2 { parts.add(block) }
      if marker == 0xE1, exif == nil, block.starts(with: "Exif\0\0".utf8) {
        exif = block.part(from: 6, length: block.count - 6)
      }
    }
    if let stated = parts.joined.flatMap({ embedded($0, model) }) { return stated }
    guard model != .cmyk, let rgb = exif.flatMap(RGBSpace.init(exif:)) else { return nil }
    return StatedColor(definition: .rgb(rgb), source: .exif)
  }

  /// The parts of a profile that is too long for one block (ICC.1:2022, B.4): each says which it is of how many,
  /// and they may come in any order.
  private struct ProfileParts {
    private var parts: [UInt8: ByteView] = [:]
    private var count: UInt8?
    private var areConsistent = true

    mutating func add(_ block: ByteView) {
      guard block.starts(with: "ICC_PROFILE\0".utf8) else { return }
      guard let number = block.byte(at: 12), let stated = block.byte(at: 13),
        let part = block.part(from: 14, length: block.count - 14)
      else { return areConsistent = false }
      if count == nil { count = stated }
      if stated != count || number == 0 || number > stated || parts[number] != nil { areConsistent = false }
      parts[number] = part
    }

    /// The whole profile; nil when a part is missing, comes twice, or does not fit the others.
    var joined: [UInt8]? {
      guard areConsistent, let count, parts.count == count else { return nil }
      let ordered = (1...count).compactMap { parts[$0] }
      guard ordered.reduce(0, { $0 + $1.count }) <= largestProfile else { return nil }
      return ordered.flatMap(\.copy)
    }
  }
}

/// The blocks of a JPEG in front of its pixels: marker and content (ITU-T T.81, annex B).
struct JPEGBlocks {
  private let file: ByteView
  private var offset = 2

  init(_ file: ByteView) {
    self.file = file
  }

  /// The next block; nil where the file ends, or its structure.
  mutating func next() -> (marker: UInt8, content: ByteView)? {
    while let byte = file.byte(at: offset) {
      offset += 1
      // Fill bytes may precede a marker; other bytes belong to none and are skipped, as libjpeg does.
      guard byte == 0xFF, let marker = file.byte(at: offset), marker != 0, marker != 0xFF else { continue }
      offset += 1
      switch marker {
      case 0x01, 0xD0...0xD8: continue
      case 0xD9: return nil
      default: break
      }
      guard let length = file.number16(at: offset), length >= 2,
        let content = file.part(from: offset + 2, length: length - 2)
      else { return nil }
      offset += length
      return (marker, content)
    }
    return nil
  }
}
