extension DeclaredColorSpace {
  /// Reads the declaration of a PNG in the order of precedence of the standard (PNG, third edition, section
  /// 4.3): cICP, iCCP, sRGB, cHRM with gAMA. An unusable or damaged chunk is
  /// skipped.
  static func png(_ file: ByteView, _ model: ImageHeader.ColorModel) -> Reading {
    let wanted: [PNGChunks.Name] = [.codePoints, .profile, .standardRGB, .chromaticities, .gamma]
    var found: [PNGChunks.Name: ByteView] = [:]
    for (name, content) in PNGChunks(file) {
      if name == .data { break }
      if wanted.contains(name), found[name] == nil { found[name] = file.intactChunk(content) }
    }

    if let chunk = found[.codePoints], let rgb = RGBSpace(codePoints: chunk) {
      return Reading(DeclaredColorSpace(definition: .rgb(rgb), source: .codePoints, codePoints: chunk.copy))
    }
    if let profile = found[.profile].flatMap(profile(in:)), let declared = embedded(profile, model) {
      return Reading(declared)
    }
    let ignoresProfile = found[.profile] != nil
    if found[.standardRGB]?.count == 1 {
      return Reading(
        DeclaredColorSpace(definition: .rgb(.sRGB), source: .mark), ignoresProfile: ignoresProfile)
    }
    // gAMA alone is not enough: old editors wrote the gamma of their screen, and browsers ignore it, too.
    let rgb = found[.chromaticities].flatMap { RGBSpace(chromaticities: $0, gamma: found[.gamma]) }
    return Reading(
      rgb.map { DeclaredColorSpace(definition: .rgb($0), source: .chromaticities) },
      ignoresProfile: ignoresProfile)
  }

  /// Returns the size of the profile; nil if it may follow `file`.
  static func pngProfileBytes(_ file: ByteView) -> Int? {
    for (name, content) in PNGChunks(file) {
      if name == .data { return 0 }
      if name == .profile { return file.part(content).map { profile(in: $0)?.count ?? 0 } }
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
