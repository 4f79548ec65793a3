extension StatedColor {
  /// In the order of precedence of the standard (PNG, third edition, section 4.3): cICP, iCCP, sRGB, and then cHRM
  /// with gAMA. A chunk that cannot be used gives way to the next.
  static func png(_ file: ByteView, _ model: ImageHeader.ColorModel) -> StatedColor? {
    let wanted = ["cICP", "iCCP", "sRGB", "cHRM", "gAMA"].map(PNGChunks.type)
    var found: [Int: ByteView] = [:]
    for (type, content) in PNGChunks(file) {
      if type == PNGChunks.type("IDAT") { break }
      if wanted.contains(type), found[type] == nil { found[type] = content }
    }
    func chunk(_ name: String) -> ByteView? { found[PNGChunks.type(name)] }

    if let rgb = chunk("cICP").flatMap(RGBSpace.init(codePoints:)) {
      return StatedColor(definition: .rgb(rgb), source: .codePoints)
    }
    if let profile = chunk("iCCP").flatMap(profile(in:)), let stated = embedded(profile, model) {
      return stated
    }
    if chunk("sRGB")?.count == 1 {
      return StatedColor(definition: .rgb(.sRGB), source: .mark)
    }
    // gAMA alone is not enough: old editors wrote their screen's, and browsers ignore it too.
    if let rgb = chunk("cHRM").flatMap({ RGBSpace(chromaticities: $0, gamma: chunk("gAMA")) }) {
      return StatedColor(definition: .rgb(rgb), source: .chromaticities)
    }
    return nil
  }

  /// The profile in an iCCP: behind a name of at most 79 bytes, a zero and the method, 0 for zlib.
  private static func profile(in chunk: ByteView) -> [UInt8]? {
    guard let end = (1...79).first(where: { chunk.byte(at: $0) == 0 }), chunk.byte(at: end + 1) == 0,
      let packed = chunk.part(from: end + 2, length: chunk.count - end - 2)
    else { return nil }
    return Inflation.zlib(packed.copy, limit: largestProfile)
  }
}

/// The chunks of a PNG: type and content (PNG, section 5). Checksums are the decoder's business.
struct PNGChunks: Sequence, IteratorProtocol {
  private let file: ByteView
  private var offset = 8

  init(_ file: ByteView) {
    self.file = file
  }

  /// The next chunk; nil where the file ends.
  mutating func next() -> (type: Int, content: ByteView)? {
    guard let length = file.number32(at: offset), let type = file.number32(at: offset + 4),
      let content = file.part(from: offset + 8, length: length)
    else { return nil }
    offset += 12 + length
    return (type, content)
  }

  /// A chunk's type from its four letters.
  static func type(_ name: String) -> Int {
    name.utf8.reduce(0) { $0 << 8 | Int($1) }
  }
}
