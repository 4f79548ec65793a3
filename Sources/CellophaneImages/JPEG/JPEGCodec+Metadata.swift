extension JPEGCodec {
  /// Returns the TIFF structure of the first EXIF segment before the pixels of a JPEG.
  func exif(in file: ByteView) -> ByteView? {
    var segments = JPEGSegments(file)
    while let (marker, segment) = try? segments.next(), marker != 0xDA {
      if marker == 0xE1, let exif = segment.exif { return exif }
    }
    return nil
  }

  func stripped(_ file: [UInt8], exif: [UInt8]?) -> [UInt8] {
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
  private func affectsPixels(_ marker: UInt8, _ content: ByteView) -> Bool {
    switch marker {
    case 0xE2: content.starts(with: "ICC_PROFILE\0".utf8)
    case 0xEE: content.starts(with: "Adobe".utf8)
    case 0xE0...0xEF, 0xFE: false
    default: true
    }
  }

  /// Returns the next marker and its end. Other bytes between segments are skipped, as in libjpeg.
  private func nextMarker(in file: Span<UInt8>, from start: Int) -> (marker: UInt8, end: Int)? {
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
  private func endOfScan(in file: Span<UInt8>, from start: Int) -> Int {
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
}
