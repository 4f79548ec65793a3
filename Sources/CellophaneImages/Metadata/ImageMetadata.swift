/// The metadata of an encoded image file.
package struct ImageMetadata: Equatable, Sendable {
  /// An ICC profile of RGB colors, because images are encoded as RGB.
  package var profile: [UInt8]?
  /// The content of a cICP chunk. Only PNG can have it.
  package var codePoints: [UInt8]?
  /// The TIFF structure of EXIF.
  package var exif: [UInt8]?

  package init(profile: [UInt8]? = nil, exif: [UInt8]? = nil) {
    (self.profile, self.exif) = (profile, exif)
  }

  /// The metadata that `image` needs for its display: colors other than sRGB, and an orientation other than
  /// upright.
  package init(of image: Image) {
    profile = image.colorProfile?.icc
    codePoints = image.colorProfile?.codePoints
    exif = MetadataStripper.minimalEXIF(image.orientation, isAdobeRGB: false)
  }

  /// Reads all metadata of `file` that is valid for `image`, its decoded pixels: also EXIF and a profile of
  /// sRGB. Damaged metadata counts as missing.
  ///
  /// - Complexity: linear in the number of chunks or segments in the file and in the size of the profile.
  package init(of file: [UInt8], header: ImageHeader, image: Image) {
    self.init(of: image)
    if image.colorProfile == nil, let declared = DeclaredColorSpace.read(file, header: header) {
      let colors = ColorProfile(declared, of: header.colorModel)
      profile = colors.isSRGB ? colors.icc : nil
    }
    let tiff: ByteView? =
      switch header.format {
      case .jpeg: ByteView.jpegEXIF(in: ByteView(file))
      case .png: ByteView.pngEXIF(in: ByteView(file))
      }
    exif = tiff.flatMap(TIFFView.init)?.setting(0x0112, to: UInt16(image.orientation.rawValue)) ?? exif
  }

  /// Returns the offset in an encoded file at which ``parts(_:)`` are inserted: the end of the signature and
  /// IHDR, or of SOI and the JFIF segment.
  static func offset(_ format: ImageFormat) -> Int { format == .png ? 33 : 20 }

  /// Returns the chunks or segments. EXIF that exceeds a JPEG segment (64 KB) is omitted.
  func parts(_ format: ImageFormat) -> [UInt8] { format == .png ? pngParts : jpegParts }

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
    return (codePoints.map { PNGChunks.chunk("cICP", $0) } ?? [])
      + (stream.map { PNGChunks.chunk("iCCP", Array("ICC profile\0\0".utf8) + $0) } ?? [])
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
