extension PNGCodec {
  /// Returns the TIFF structure in the eXIf chunk of a PNG.
  func exif(in file: ByteView) -> ByteView? {
    for (name, content) in PNGChunks(file) {
      if name == .exif { return file.part(content) }
      if name == .end { break }
    }
    return nil
  }

  /// The ancillary chunks that affect the display of the pixels: colors, transparency, density, and the
  /// frames of an animation.
  ///
  /// Critical chunks are kept, too. Their names begin with a capital letter (ISO/IEC 15948, section 5.4).
  private static let displayChunks = Set(
    [
      "tRNS", "cICP", "iCCP", "sRGB", "cHRM", "gAMA", "sBIT", "mDCV", "cLLI", "bKGD", "pHYs", "acTL", "fcTL",
      "fdAT",
    ].map { Array($0.utf8) })

  /// Returns true for the content of a critical chunk, or of one that affects the display of the pixels.
  static func affectsDisplay(_ file: ByteView, _ content: Range<Int>) -> Bool {
    guard let letters = file.part(from: content.lowerBound - 4, length: 4)?.copy else { return false }
    // Bit 5 of the first letter is clear in critical chunks.
    return letters[0] & 0x20 == 0 || displayChunks.contains(letters)
  }

  func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8] {
    var stripped = Array(file.prefix(PNGHeader.signature.count))
    let view = ByteView(file)
    for (name, content) in PNGChunks(view) {
      guard content.upperBound <= file.count - 4 else { break }
      if Self.affectsDisplay(view, content) {
        stripped += file[content.lowerBound - 8..<content.upperBound + 4]
      }
      if name == .header, let exif { stripped += PNGChunks.chunk("eXIf", exif) }
      if name == .end { break }
    }
    return stripped
  }
}
