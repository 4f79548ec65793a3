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
  /// - Parameter decoder: The decoder that read the header.
  /// - Throws: ``LoadError/Kind/unsupported`` if `decoder` has no codec for the format.
  /// - Complexity: linear in the number of chunks or segments in the file and in the size of the profile.
  package init(
    of file: [UInt8], header: ImageHeader, image: Image, decoder: ImageDecoder = ImageDecoder()
  ) throws(LoadError) {
    self.init(of: image)
    let codec = try decoder.codec(of: header.format)
    let file = ByteView(file)
    if image.colorProfile == nil, let declared = codec.colors(of: file, header.colorModel).colorSpace {
      let colors = ColorProfile(declared, of: header.colorModel)
      profile = colors.isSRGB ? colors.icc : nil
    }
    exif =
      codec.exif(in: file).flatMap(TIFFView.init)?.setting(0x0112, to: UInt16(image.orientation.rawValue))
      ?? exif
  }

  /// The segments of a JPEG. EXIF that exceeds a segment (64 KB) is omitted.
  var jpegParts: [UInt8] {
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

  /// The chunks of a PNG.
  var pngParts: [UInt8] {
    let stream = profile.flatMap(deflated)
    return (codePoints.map { PNGChunks.chunk("cICP", $0) } ?? [])
      + (stream.map { PNGChunks.chunk("iCCP", Array("ICC profile\0\0".utf8) + $0) } ?? [])
      + (exif.map { PNGChunks.chunk("eXIf", $0) } ?? [])
  }
}
