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

  func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8] {
    var stripped = Array(file.prefix(PNGHeader.signature.count))
    for (name, content) in PNGChunks(ByteView(file)) {
      guard content.upperBound <= file.count - 4 else { break }
      let letters = Array(file[content.lowerBound - 4..<content.lowerBound])
      // Bit 5 of the first letter is clear in critical chunks.
      if letters[0] & 0x20 == 0 || Self.displayChunks.contains(letters) {
        stripped += file[content.lowerBound - 8..<content.upperBound + 4]
      }
      if name == .header, let exif { stripped += PNGChunks.chunk("eXIf", exif) }
      if name == .end { break }
    }
    return stripped
  }
}
