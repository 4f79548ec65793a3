/// Identifies formats that a decoder does not read, so that an error can name them.
enum ForeignFormat {
  /// Returns the error for a file that begins with the signature of none of the `known` formats.
  static func error(for file: ByteView, known: [ImageFormat]) -> LoadError {
    if file.count == 0 { return .noImageData }
    if file.holds("PNG".utf8, at: 1) {
      return LoadError(
        .corrupt, "the PNG signature is damaged, as if transferred as text; transfer the file as binary")
    }
    guard let name = name(of: file) else {
      return LoadError(
        .unsupported, "the data is not \(list(known, "or")); only these formats can be decoded",
        detail: .unknownFormat)
    }
    let advice = trait(for: file).map { "; the codec of the package trait \($0) decodes it" } ?? ""
    return LoadError(
      .unsupported, "the data is \(name); only \(list(known, "and")) can be decoded" + advice)
  }

  /// Returns the package trait with the codec for `file`, if there is one.
  private static func trait(for file: ByteView) -> String? {
    if file.holds("WEBP".utf8, at: 8) { return "WebP" }
    if file.starts(with: "GIF8".utf8) { return "GIF" }
    return file.holds("ftypavi".utf8, at: 4) ? "AVIF" : nil
  }

  /// Returns the names of `formats` as a list, such as `PNG, JPEG or WebP`.
  private static func list(_ formats: [ImageFormat], _ conjunction: String) -> String {
    let names = formats.map(\.name)
    return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " \(conjunction) " : "")
      + (names.last ?? "an image")
  }

  private static func name(of file: ByteView) -> String? {
    for (offset, signature, name) in signatures where file.holds(signature.utf8, at: offset) { return name }
    if file.number32(at: 0) == 0x4949_2A00 || file.number32(at: 0) == 0x4D4D_002A { return "a TIFF image" }
    if file.number32(at: 0) == 0x0000_0100 { return "a Windows icon" }
    if file.number16(at: 0) == 0x1F8B { return "compressed with gzip" }
    if file.number16(at: 0) == 0xFF0A { return "a JPEG XL image" }
    if file.number32(at: 0) == 0xFF4F_FF51 { return "a JPEG 2000 image" }
    return markup(file)
  }

  /// The signatures of formats, with their offsets in the file.
  private static var signatures: [(offset: Int, signature: String, name: String)] {
    [
      (0, "GIF8", "a GIF image"), (8, "WEBP", "a WebP image"), (4, "ftypavi", "an AVIF image"),
      (4, "ftyphe", "a HEIC image"), (4, "ftypmif1", "a HEIF image"), (4, "JXL ", "a JPEG XL image"),
      (4, "jP  ", "a JPEG 2000 image"), (0, "BM", "a BMP image"), (0, "qoif", "a QOI image"),
      (0, "%PDF", "a PDF document"), (0, "8BPS", "a Photoshop document"), (1, "MNG\r\n", "an MNG animation"),
    ]
  }

  /// Returns the name of a text format.
  ///
  /// The text may begin with a byte order mark and white space. Tags match in uppercase and lowercase. An SVG
  /// element may follow a prolog: 256 bytes are enough for the usual ones.
  private static func markup(_ file: ByteView) -> String? {
    let start = (0..<min(file.count, 256)).compactMap { file.byte(at: $0) }
    let mark = start.starts(with: "\u{FEFF}".utf8) ? 3 : 0
    let text = start[mark...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      .map(\.lowercased)
    if text.starts(with: "<!doctype html".utf8) || text.starts(with: "<html".utf8) { return "an HTML page" }
    if text.first == UInt8(ascii: "<"), text.contains("<svg".utf8) { return "an SVG image" }
    if text.starts(with: "<?xml".utf8) { return "an XML document" }
    if text.starts(with: "{".utf8) || text.starts(with: "[".utf8) { return "text that looks like JSON" }
    return nil
  }
}

extension LoadError {
  /// The data of an image has no bytes. It may be a file or the body of a response.
  static let noImageData = LoadError(
    .truncated, "there is no image: the file or the body of the response is empty; load it again")
}
