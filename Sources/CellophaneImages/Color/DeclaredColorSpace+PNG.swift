extension DeclaredColorSpace {
  /// Reads the declaration of a PNG in the order of precedence of the standard (PNG, third edition, section
  /// 4.3): cICP, iCCP, sRGB, cHRM with gAMA. An unusable or damaged chunk is
  /// skipped.
  static func png(_ file: ByteView, _ model: ImageHeader.ColorModel) -> DeclaredColorSpace? {
    let wanted: [PNGChunks.Name] = [.codePoints, .profile, .standardRGB, .chromaticities, .gamma]
    var found: [PNGChunks.Name: ByteView] = [:]
    for (name, content) in PNGChunks(file) {
      if name == .data { break }
      if wanted.contains(name), found[name] == nil { found[name] = file.intactChunk(content) }
    }

    if let rgb = found[.codePoints].flatMap(RGBSpace.init(codePoints:)) {
      return DeclaredColorSpace(definition: .rgb(rgb), source: .codePoints)
    }
    if let profile = found[.profile].flatMap(profile(in:)), let declared = embedded(profile, model) {
      return declared
    }
    if found[.standardRGB]?.count == 1 {
      return DeclaredColorSpace(definition: .rgb(.sRGB), source: .mark)
    }
    // gAMA alone is not enough: old editors wrote the gamma of their screen, and browsers ignore it, too.
    if let rgb = found[.chromaticities].flatMap({ RGBSpace(chromaticities: $0, gamma: found[.gamma]) }) {
      return DeclaredColorSpace(definition: .rgb(rgb), source: .chromaticities)
    }
    return nil
  }

  /// Returns the profile in an iCCP chunk. It follows a name of at most 79 bytes, a zero, and the compression
  /// method, 0 for zlib.
  private static func profile(in chunk: ByteView) -> [UInt8]? {
    guard let end = (1...79).first(where: { chunk.byte(at: $0) == 0 }), chunk.byte(at: end + 1) == 0,
      let compressed = chunk.part(from: end + 2, length: chunk.count - end - 2)
    else { return nil }
    return Inflater()?.inflated(compressed.copy, limit: largestProfile)
  }
}
