extension StatedColor {
  /// In the order of precedence of the standard (PNG, third edition, section 4.3): cICP, iCCP, sRGB, and then cHRM
  /// with gAMA. A chunk that cannot be used gives way to the next.
  static func png(_ file: ByteView, _ model: ImageHeader.ColorModel) -> StatedColor? {
    let wanted: [PNGChunks.Name] = [.codePoints, .profile, .standardRGB, .chromaticities, .gamma]
    var found: [PNGChunks.Name: ByteView] = [:]
    for (name, content) in PNGChunks(file) {
      if name == .data { break }
      if wanted.contains(name), found[name] == nil { found[name] = file.part(content) }
    }

    if let rgb = found[.codePoints].flatMap(RGBSpace.init(codePoints:)) {
      return StatedColor(definition: .rgb(rgb), source: .codePoints)
    }
    if let profile = found[.profile].flatMap(profile(in:)), let stated = embedded(profile, model) {
      return stated
    }
    if found[.standardRGB]?.count == 1 {
      return StatedColor(definition: .rgb(.sRGB), source: .mark)
    }
    // gAMA alone is not enough: old editors wrote their screen's, and browsers ignore it too.
    if let rgb = found[.chromaticities].flatMap({ RGBSpace(chromaticities: $0, gamma: found[.gamma]) }) {
      return StatedColor(definition: .rgb(rgb), source: .chromaticities)
    }
    return nil
  }

  /// The profile in an iCCP: behind a name of at most 79 bytes, a zero and the method, 0 for zlib.
  private static func profile(in chunk: ByteView) -> [UInt8]? {
    guard let end = (1...79).first(where: { chunk.byte(at: $0) == 0 }), chunk.byte(at: end + 1) == 0,
      let packed = chunk.part(from: end + 2, length: chunk.count - end - 2)
    else { return nil }
    return Inflater()?.inflated(packed.copy, limit: largestProfile)
  }
}
