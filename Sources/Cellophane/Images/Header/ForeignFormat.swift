/// Recognises what is no picture of ours, so that the error says what it is.
enum ForeignFormat {
  /// Why bytes that start like neither PNG nor JPEG cannot be decoded.
  static func error(for file: ByteView) -> LoadError {
    if file.count == 0 { return LoadError(.truncated, "there are no bytes where a picture should be") }
    if file.isCutOff(of: PNGHeader.signature) || file.isCutOff(of: JPEGHeader.signature) {
      return LoadError(.truncated, "the picture ends after \(file.count) bytes")
    }
    if file.holds("PNG".utf8, at: 1) {
      return LoadError(
        .corrupt, "the PNG's signature is damaged, as by a transfer as text; transfer it as binary")
    }
    guard let name = name(of: file) else {
      return LoadError(.unsupported, "the data is neither PNG nor JPEG")
    }
    return LoadError(.unsupported, "the data is \(name); only PNG and JPEG can be decoded")
  }

  private static func name(of file: ByteView) -> String? {
    for (offset, mark, name) in marks where file.holds(mark.utf8, at: offset) { return name }
    if file.number32(at: 0) == 0x4949_2A00 || file.number32(at: 0) == 0x4D4D_002A { return "a TIFF picture" }
    if file.number32(at: 0) == 0x0000_0100 { return "a Windows icon" }
    if file.number16(at: 0) == 0x1F8B { return "compressed with gzip" }
    if file.number16(at: 0) == 0xFF0A { return "a JPEG XL picture" }
    if file.number32(at: 0) == 0xFF4F_FF51 { return "a JPEG 2000 picture" }
    return markup(file)
  }

  /// Marks of formats: where, what, and the format's name.
  private static var marks: [(offset: Int, mark: String, name: String)] {
    [
      (0, "GIF8", "a GIF picture"), (8, "WEBP", "a WebP picture"), (4, "ftypavi", "an AVIF picture"),
      (4, "ftyphe", "a HEIC picture"), (4, "ftypmif1", "a HEIF picture"), (4, "JXL ", "a JPEG XL picture"),
      (4, "jP  ", "a JPEG 2000 picture"), (0, "BM", "a BMP picture"), (0, "qoif", "a QOI picture"),
      (0, "%PDF", "a PDF document"), (0, "8BPS", "a Photoshop document"), (1, "MNG\r\n", "an MNG animation"),
    ]
  }

  /// Text formats begin after blanks and a byte order mark, in any case; an SVG may follow a prologue. 256 bytes
  /// hold the usual ones.
  private static func markup(_ file: ByteView) -> String? {
    let start = (0..<min(file.count, 256)).compactMap { file.byte(at: $0) }
    let mark = start.starts(with: "\u{FEFF}".utf8) ? 3 : 0
    let text = start[mark...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      .map(\.lowercased)
    if text.starts(with: "<!doctype html".utf8) || text.starts(with: "<html".utf8) { return "an HTML page" }
    if text.first == UInt8(ascii: "<"), text.contains("<svg".utf8) { return "an SVG picture" }
    if text.starts(with: "<?xml".utf8) { return "an XML document" }
    if text.starts(with: "{".utf8) || text.starts(with: "[".utf8) { return "text that looks like JSON" }
    return nil
  }
}
