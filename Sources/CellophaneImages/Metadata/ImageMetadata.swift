/// The metadata of an image file that is copied to a file with its encoded pixels.
package struct ImageMetadata: Equatable, Sendable {
  /// The ICC profile of an RGB image.
  ///
  /// CMYK and gray images are encoded as RGB, so their profiles do not apply to the new file.
  package var profile: [UInt8]?
  /// The TIFF structure of EXIF, with the orientation set to upright.
  package var exif: [UInt8]?

  package init(profile: [UInt8]? = nil, exif: [UInt8]? = nil) {
    (self.profile, self.exif) = (profile, exif)
  }

  /// Reads the metadata of `file`, which has the header `header`. Damaged metadata counts as missing.
  ///
  /// - Complexity: linear in the number of chunks or segments in the file and in the size of the profile.
  package init(of file: [UInt8], header: ImageHeader) {
    profile = Self.profile(of: file, header: header)
    let tiff: ByteView? =
      switch header.format {
      case .jpeg: ByteView.jpegEXIF(in: ByteView(file))
      case .png: ByteView.pngEXIF(in: ByteView(file))
      }
    exif = tiff.flatMap(TIFFView.init)?.setting(0x0112, to: UInt16(Orientation.up.rawValue))
  }

  /// Returns only the profile of `file`, without EXIF. It has no profile if the colors are sRGB, because that
  /// is the default for files without a profile.
  ///
  /// - Complexity: the same as for the complete metadata.
  package static func colors(of file: [UInt8], header: ImageHeader) -> ImageMetadata {
    guard let profile = profile(of: file, header: header),
      let declared = DeclaredColorSpace.embedded(profile, .rgb), !ColorProfile(declared, of: .rgb).isSRGB
    else { return ImageMetadata() }
    return ImageMetadata(profile: profile)
  }

  private static func profile(of file: [UInt8], header: ImageHeader) -> [UInt8]? {
    guard case .icc(let profile)? = DeclaredColorSpace.read(file, header: header)?.definition,
      profile.space == .rgb
    else { return nil }
    return profile.bytes
  }

  /// Returns a copy of `file`, the result of `Image.encoded(as:)`, with this metadata.
  ///
  /// EXIF that exceeds a JPEG segment (64 KB) is omitted.
  package func added(to file: [UInt8], _ format: ImageFormat) -> [UInt8] {
    guard profile != nil || exif != nil else { return file }
    // The end of the signature and IHDR, or of SOI and the JFIF segment.
    let offset = format == .png ? 33 : 20
    let parts = format == .png ? pngParts : jpegParts
    return Array(file.prefix(offset)) + parts + file.dropFirst(offset)
  }

  private var jpegParts: [UInt8] {
    var parts = exif.flatMap { JPEGSegments.segment(0xE1, Array("Exif\0\0".utf8) + $0) } ?? []
    guard let profile else { return parts }
    // The part of a profile in a segment of 64 KB (ICC.1:2022, B.4). The largest profile has 65 parts.
    let size = 65_519
    let count = (profile.count + size - 1) / size
    for number in 0..<count {
      let piece = profile[number * size..<min((number + 1) * size, profile.count)]
      let head = Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)]
      parts += JPEGSegments.segment(0xE2, head + piece) ?? []
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
  /// Returns the TIFF structure of the first EXIF segment before the pixels of a JPEG.
  fileprivate static func jpegEXIF(in file: ByteView) -> ByteView? {
    var segments = JPEGSegments(file)
    while let (marker, segment) = try? segments.next(), marker != 0xDA {
      if marker == 0xE1, let exif = segment.exif { return exif }
    }
    return nil
  }

  /// Returns the TIFF structure in the eXIf chunk of a PNG.
  fileprivate static func pngEXIF(in file: ByteView) -> ByteView? {
    for (name, content) in PNGChunks(file) {
      if name == .exif { return file.part(content) }
      if name == .end { break }
    }
    return nil
  }
}

extension JPEGSegments {
  /// Returns an encoded segment, or nil if the content exceeds 64 KB.
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8]? {
    guard let length = UInt16(exactly: content.count + 2) else { return nil }
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }
}

extension PNGChunks {
  /// Returns an encoded chunk with its checksum.
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
