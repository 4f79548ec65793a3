internal import Cellophane

/// Files that are no traces of requests, recognized by their first bytes.
enum ForeignTrace {
  private static let compressed: [(bytes: [UInt8], program: String)] = [
    ([0x1F, 0x8B], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"),
  ]

  private static let images: [(bytes: [UInt8], name: String)] = [
    // The last four bytes of the signature only detect damage in transit.
    (Array(PNGHeader.signature.prefix(4)), "a PNG image"), (JPEGHeader.signature, "a JPEG image"),
  ]

  /// Returns the reason to reject a file that begins with `start`, in any format; nil for a possible trace.
  static func binary(_ start: ArraySlice<UInt8>) -> String? {
    if let program = compressed.first(where: { start.starts(with: $0.bytes) })?.program {
      return "is compressed with \(program); decompress it: "
        + "\(program) -dc FILE | cellophane simulate --requests -"
    }
    return images.first { start.starts(with: $0.bytes) }.map { "is \($0.name), not a trace of requests" }
  }

  /// Returns the name of a text format whose files begin with `line`; nil if `line` may be a request.
  ///
  /// An id may begin with a bracket, so the next byte decides.
  static func text(_ line: ArraySlice<UInt8>) -> String? {
    let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let next = text.dropFirst().first
    let isLetter = next.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) } ?? false
    switch text.first {
    case UInt8(ascii: "<") where isLetter || next == UInt8(ascii: "!") || next == UInt8(ascii: "?"):
      return "HTML or XML"
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return next.map("{}[]\" \t".utf8.contains) ?? true ? "JSON" : nil
    default: return nil
    }
  }

  /// Returns true for a control character that no line of text contains. Tabs may separate columns.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != UInt8(ascii: "\t") }
}
