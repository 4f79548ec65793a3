/// An iterator over the marker segments of a JPEG up to its first scan (ITU-T T.81, annex B).
struct JPEGSegments {
  private let file: ByteView
  private var offset = 2

  init(_ file: ByteView) {
    self.file = file
  }

  /// Returns the marker and the content of the next segment.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` at the end of the file, ``LoadError/Kind/corrupt`` if the
  ///   structure of the file is invalid.
  mutating func next() throws(LoadError) -> (marker: UInt8, content: ByteView) {
    while let marker = nextMarker() {
      switch marker {
      case 0x01, 0xD0...0xD7: continue
      case 0xD8: throw LoadError(.corrupt, "the JPEG has two start markers")
      case 0xD9: throw LoadError(.corrupt, "the JPEG contains no image")
      default: break
      }
      // The length includes its own two bytes. Readers take 0 and 1 for an empty segment, as libjpeg does.
      guard let length = file.number16(at: offset).map({ max($0, 2) }) else { break }
      guard let content = file.part(from: offset + 2, length: length - 2) else { break }
      offset += length
      return (marker, content)
    }
    throw LoadError(.truncated, "the JPEG ends in its header, after \(file.count) bytes; load it again")
  }

  /// Returns the next marker. Fill bytes may precede it. Other bytes between segments are skipped, as in
  /// libjpeg.
  private mutating func nextMarker() -> UInt8? {
    while let byte = file.byte(at: offset) {
      offset += 1
      guard byte == 0xFF, let marker = file.byte(at: offset), marker != 0, marker != 0xFF else { continue }
      offset += 1
      return marker
    }
    return nil
  }
}

extension ByteView {
  /// The TIFF structure in the content of an EXIF segment; nil for other segments.
  var exif: ByteView? { starts(with: "Exif\0\0".utf8) ? part(from: 6, length: count - 6) : nil }
}
