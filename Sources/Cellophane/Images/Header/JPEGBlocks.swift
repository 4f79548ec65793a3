/// The blocks of a JPEG in front of its pixels, one after the other (ITU-T T.81, annex B).
struct JPEGBlocks {
  private let file: ByteView
  private var offset = 2

  init(_ file: ByteView) {
    self.file = file
  }

  /// The next block: marker and content.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` where the file ends, ``LoadError/Kind/corrupt`` where its structure
  ///   does.
  mutating func next() throws(LoadError) -> (marker: UInt8, content: ByteView) {
    while let marker = nextMarker() {
      switch marker {
      case 0x01, 0xD0...0xD7: continue
      case 0xD8: throw LoadError(.corrupt, "the JPEG begins twice")
      case 0xD9: throw LoadError(.corrupt, "the JPEG holds no picture")
      default: break
      }
      guard let length = file.number16(at: offset) else { break }
      guard length >= 2 else { throw LoadError(.corrupt, "the JPEG has a block of length \(length)") }
      guard let content = file.part(from: offset + 2, length: length - 2) else { break }
      offset += length
      return (marker, content)
    }
    throw LoadError(.truncated, "the JPEG ends before its picture, after \(file.count) bytes")
  }

  /// The next marker. Fill bytes may precede it; bytes that belong to none are skipped, as libjpeg does.
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
  /// The TIFF structure in the content of a block that is EXIF.
  var exif: ByteView? { starts(with: "Exif\0\0".utf8) ? part(from: 6, length: count - 6) : nil }
}
