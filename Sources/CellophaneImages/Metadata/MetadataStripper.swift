/// Removes metadata from an image file without encoding the pixels again.
///
/// It removes EXIF with locations and cameras, XMP, IPTC, texts, times, thumbnails, and additional images
/// after the first. It keeps all data that affects the display of the pixels: ICC profiles, and the color
/// chunks, animation and density of a PNG. If EXIF declares an orientation or Adobe RGB, a minimal EXIF with
/// these values replaces it.
package enum MetadataStripper {
  /// Returns `file`, which has the header `header`, without its metadata. A truncated file remains truncated.
  ///
  /// - Complexity: linear in the size of the file.
  package static func stripped(_ file: [UInt8], header: ImageHeader) -> [UInt8] {
    let declared = DeclaredColorSpace.read(file, header: header)
    let isAdobeRGB =
      declared.map { $0.source == .exif && !ColorProfile($0, of: header.colorModel).isSRGB } ?? false
    let exif = minimalEXIF(header.orientation, isAdobeRGB: isAdobeRGB)
    return switch header.format {
    case .png: png(file, exif)
    case .jpeg: jpeg(file, exif)
    }
  }

  // MARK: PNG

  /// The ancillary chunks that affect the display of the pixels: colors, transparency, density, and the
  /// frames of an animation.
  ///
  /// Critical chunks are kept, too. Their names begin with a capital letter (ISO/IEC 15948, section 5.4).
  private static let displayChunks = Set(
    [
      "tRNS", "cICP", "iCCP", "sRGB", "cHRM", "gAMA", "sBIT", "mDCV", "cLLI", "bKGD", "pHYs", "acTL", "fcTL",
      "fdAT",
    ].map { Array($0.utf8) })

  private static func png(_ file: [UInt8], _ exif: [UInt8]?) -> [UInt8] {
    var stripped = Array(file.prefix(PNGHeader.signature.count))
    for (name, content) in PNGChunks(ByteView(file)) {
      guard content.upperBound <= file.count - 4 else { break }
      let letters = Array(file[content.lowerBound - 4..<content.lowerBound])
      // Bit 5 of the first letter is clear in critical chunks.
      if letters[0] & 0x20 == 0 || displayChunks.contains(letters) {
        stripped += file[content.lowerBound - 8..<content.upperBound + 4]
      }
      if name == .header, let exif { stripped += PNGChunks.chunk("eXIf", exif) }
      if name == .end { break }
    }
    return stripped
  }

  // MARK: JPEG

  private static func jpeg(_ file: [UInt8], _ exif: [UInt8]?) -> [UInt8] {
    var stripped: [UInt8] = [0xFF, 0xD8]
    stripped.reserveCapacity(file.count)
    // EXIF is the first segment, as its standard requires. JFIF follows.
    if let exif { stripped += JPEGSegments.segment(0xE1, Array("Exif\0\0".utf8) + exif) ?? [] }
    let view = ByteView(file)
    var offset = 2
    while let (marker, start) = nextMarker(in: file.span, from: offset) {
      offset = start
      switch marker {
      case 0xD9:
        stripped += [0xFF, 0xD9]
        return stripped
      case 0x01, 0xD0...0xD8: continue
      default: break
      }
      guard let length = view.number16(at: start).map({ max($0, 2) }),
        let content = view.part(from: start + 2, length: length - 2)
      else { break }
      offset = start + length
      if marker == 0xE0, content.starts(with: "JFIF\0".utf8), content.count >= 14 {
        // Omits the thumbnail.
        stripped += [0xFF, 0xE0, 0, 16]
        stripped += content.copy.prefix(12)
        stripped += [0, 0]
      } else if affectsPixels(marker, content) {
        stripped += [0xFF, marker]
        stripped += file[start..<offset]
      }
      guard marker == 0xDA else { continue }
      let end = endOfScan(in: file.span, from: offset)
      stripped += file[offset..<end]
      offset = end
    }
    return stripped
  }

  /// Returns true if a segment affects the display of the pixels.
  ///
  /// Comments and application segments do not, except ICC profiles and the color transform of Adobe.
  private static func affectsPixels(_ marker: UInt8, _ content: ByteView) -> Bool {
    switch marker {
    case 0xE2: content.starts(with: "ICC_PROFILE\0".utf8)
    case 0xEE: content.starts(with: "Adobe".utf8)
    case 0xE0...0xEF, 0xFE: false
    default: true
    }
  }

  /// Returns the next marker and its end. Other bytes between segments are skipped, as in libjpeg.
  private static func nextMarker(in file: Span<UInt8>, from start: Int) -> (marker: UInt8, end: Int)? {
    var offset = start
    while offset + 1 < file.count {
      if file[offset] == 0xFF, file[offset + 1] != 0, file[offset + 1] != 0xFF {
        return (file[offset + 1], offset + 2)
      }
      offset += 1
    }
    return nil
  }

  /// Returns the end of the entropy-coded data: the next marker that is not a restart marker (T.81, B.1.1.2).
  private static func endOfScan(in file: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset + 1 < file.count {
      if file[offset] == 0xFF {
        switch file[offset + 1] {
        case 0, 0xFF, 0xD0...0xD7: break
        default: return offset
        }
      }
      offset += 1
    }
    return file.count
  }

  // MARK: EXIF

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
