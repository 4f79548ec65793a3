/// Removes metadata from an image file without encoding the pixels again.
///
/// It removes EXIF with locations and cameras, XMP, IPTC, texts, times, thumbnails, and additional images
/// after the first. It keeps all data that affects the display of the pixels: ICC profiles, and the color
/// chunks, animation and density of a PNG. If EXIF declares an orientation or Adobe RGB, a minimal EXIF with
/// these values replaces it.
package enum MetadataStripper {
  /// Returns `file`, which has the header `header`, without its metadata. A truncated file remains truncated.
  ///
  /// - Parameter decoder: The decoder that read the header.
  /// - Throws: ``LoadError/Kind/unsupported`` if `decoder` has no codec for the format.
  /// - Complexity: linear in the size of the file.
  package static func stripped(
    _ file: [UInt8], header: ImageHeader, decoder: ImageDecoder = ImageDecoder()
  ) throws(LoadError) -> [UInt8] {
    let codec = try decoder.codec(of: header.format)
    let declared = codec.colors(of: ByteView(file), header.colorModel).colorSpace
    let isAdobeRGB =
      declared.map { $0.source == .exif && !ColorProfile($0, of: header.colorModel).isSRGB } ?? false
    let exif = minimalEXIF(header.orientation, isAdobeRGB: isAdobeRGB)
    return codec.stripped(file, exif: exif)
  }

  /// Returns a TIFF structure with only these values, or nil if both are the defaults.
  static func minimalEXIF(_ orientation: Orientation, isAdobeRGB: Bool) -> [UInt8]? {
    guard orientation != .up || isAdobeRGB else { return nil }
    func directory(_ entries: [[UInt8]]) -> [UInt8] {
      [0, UInt8(entries.count)] + entries.joined() + [0, 0, 0, 0]
    }
    /// Returns a directory entry. `value` has four bytes: the value itself or its offset.
    func entry(_ tag: [UInt8], _ type: UInt8, count: UInt8 = 1, _ value: [UInt8]) -> [UInt8] {
      tag + [0, type, 0, 0, 0, count] + value
    }
    let orientationEntry = entry([0x01, 0x12], 3, [0, orientation.rawValue, 0, 0])
    let head = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
    guard isAdobeRGB else { return head + directory([orientationEntry]) }
    // A directory of two entries has 30 bytes.
    let exifDirectory = directory([
      entry([0xA0, 0x01], 3, [0xFF, 0xFF, 0, 0]), entry([0xA0, 0x05], 4, [0, 0, 0, 68]),
    ])
    let interoperability = directory([entry([0, 1], 2, count: 4, Array("R03\0".utf8))])
    return head + directory([orientationEntry, entry([0x87, 0x69], 4, [0, 0, 0, 38])]) + exifDirectory
      + interoperability
  }
}
