extension StatedColor {
  /// The ICC profile goes before EXIF, which knows two spaces only.
  static func jpeg(_ file: ByteView, _ model: ImageHeader.ColorModel) -> StatedColor? {
    var parts = ProfileParts()
    var exif: ByteView?
    var blocks = JPEGBlocks(file)
    while let (marker, block) = try? blocks.next(), marker != 0xDA {
      if marker == 0xE2 { parts.add(block) }
      if marker == 0xE1, exif == nil { exif = block.exif }
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
