/// What a picture file says beside its pixels, and goes on saying in a file that is made of them.
package struct PictureMetadata: Equatable, Sendable {
  /// The ICC profile, of red, green and blue: pixels of ink and of grey are written as these, and theirs would be wrong.
  package var profile: [UInt8]?
  /// The TIFF structure that EXIF is, with the picture upright.
  package var exif: [UInt8]?

  package init(profile: [UInt8]? = nil, exif: [UInt8]? = nil) {
    (self.profile, self.exif) = (profile, exif)
  }

  /// What `file` says, which `header` was read from. What is damaged counts as not said.
  ///
  /// - Complexity: linear in the number of the file's blocks, and in the size of its profile.
  package init(of file: [UInt8], header: ImageHeader) {
    profile = Self.profile(of: file, header: header)
    let tiff: ByteView? =
      switch header.format {
      case .jpeg: ByteView.jpegEXIF(in: ByteView(file))
      case .png: ByteView.pngEXIF(in: ByteView(file))
      }
    exif = tiff.flatMap(TIFFView.init)?.setting(0x0112, to: UInt16(Orientation.up.rawValue))
  }

  /// The colours of `file` alone, where they are not sRGB's, which those of a file are that does not say.
  ///
  /// - Complexity: as for all of it.
  package static func colors(of file: [UInt8], header: ImageHeader) -> PictureMetadata {
    guard let profile = profile(of: file, header: header), let stated = StatedColor.embedded(profile, .rgb),
      !ColorProfile(stated, of: .rgb).isSRGB
    else { return PictureMetadata() }
    return PictureMetadata(profile: profile)
  }

  private static func profile(of file: [UInt8], header: ImageHeader) -> [UInt8]? {
    guard case .icc(let profile)? = StatedColor.read(file, header: header)?.definition, profile.space == .rgb
    else { return nil }
    return profile.bytes
  }

  /// `file`, which `Image.encoded(as:)` made, and which says this, too. EXIF that a JPEG has no room for (64 KB) is left
  /// out.
  package func added(to file: [UInt8], _ format: ImageFormat) -> [UInt8] {
    guard profile != nil || exif != nil else { return file }
    // Behind the signature and IHDR, or SOI and JFIF's block.
    let place = format == .png ? 33 : 20
    let parts = format == .png ? pngParts : jpegParts
    return Array(file.prefix(place)) + parts + file.dropFirst(place)
  }

  private var jpegParts: [UInt8] {
    var parts = exif.flatMap { JPEGBlocks.block(0xE1, Array("Exif\0\0".utf8) + $0) } ?? []
    guard let profile else { return parts }
    // What a block of 64 KB holds of it (ICC.1:2022, B.4); at most 65 for the largest profile that is read.
    let size = 65_519
    let count = (profile.count + size - 1) / size
    for number in 0..<count {
      let piece = profile[number * size..<min((number + 1) * size, profile.count)]
      let head = Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)]
      parts += JPEGBlocks.block(0xE2, head + piece) ?? []
    }
    return parts
  }

  private var pngParts: [UInt8] {
    let stream = profile.flatMap(deflated)
    return (stream.map { PNGChunks.chunk("iCCP", Array("ICC profile\0\0".utf8) + $0) } ?? [])
      + (exif.map { PNGChunks.chunk("eXIf", $0) } ?? [])
  }
}

extension ByteView {
  /// The TIFF structure of the first EXIF block in front of a JPEG's pixels.
  fileprivate static func jpegEXIF(in file: ByteView) -> ByteView? {
    var blocks = JPEGBlocks(file)
    while let (marker, block) = try? blocks.next(), marker != 0xDA {
      if marker == 0xE1, let exif = block.exif { return exif }
    }
    return nil
  }

  /// The TIFF structure in a PNG's eXIf chunk.
  fileprivate static func pngEXIF(in file: ByteView) -> ByteView? {
    for (name, content) in PNGChunks(file) {
      if name == .exif { return file.part(content) }
      if name == .end { break }
    }
    return nil
  }
}

extension JPEGBlocks {
  /// A block of a file; nil when it has too much content.
  static func block(_ marker: UInt8, _ content: [UInt8]) -> [UInt8]? {
    guard let length = UInt16(exactly: content.count + 2) else { return nil }
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }
}

extension PNGChunks {
  /// A chunk of a file.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var chunk: [UInt8] = []
    chunk.append(bigEndian: UInt32(content.count))
    chunk += Array(name.utf8) + content
    chunk.append(bigEndian: crc32(chunk, in: 4..<chunk.count))
    return chunk
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt32) {
    for shift in stride(from: 24, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
    }
  }
}
