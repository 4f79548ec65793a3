internal import Cellophane

/// The first bytes of a list. They tell a list from a file that another program must convert.
struct ListStart: Sendable {
  /// A magic number, and the format that it marks.
  private struct Mark {
    let bytes: [UInt8]
    /// The name of a format that is not a list; nil for the byte order mark of UTF-8.
    var format: String?
    /// The program that converts the format; nil if none can.
    var converter: String?
  }

  private static let marks = [
    Mark(bytes: [0xEF, 0xBB, 0xBF]),
    Mark(bytes: [0x1F, 0x8B], format: "compressed", converter: "gzip -dc"),
    Mark(bytes: [0x28, 0xB5, 0x2F, 0xFD], format: "compressed", converter: "zstd -dc"),
    Mark(bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], format: "compressed", converter: "xz -dc"),
    Mark(bytes: Array("BZh".utf8), format: "compressed", converter: "bzip2 -dc"),
    Mark(bytes: [0xFF, 0xFE], format: "UTF-16", converter: "iconv -f UTF-16 -t UTF-8"),
    Mark(bytes: [0xFE, 0xFF], format: "UTF-16", converter: "iconv -f UTF-16 -t UTF-8"),
    Mark(bytes: JPEGHeader.signature, format: "a JPEG image"),
    // The last four bytes of the signature only detect damage in transit.
    Mark(bytes: Array(PNGHeader.signature.prefix(4)), format: "a PNG image"),
  ]

  /// The bytes so far, while they may be the start of a mark; nil afterwards.
  private var held: [UInt8]? = []

  /// Returns the bytes to parse: `chunk` with the held bytes, without a byte order mark. Returns an empty array while
  /// there are too few bytes to decide.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the file is not a list. The advice names `command`.
  mutating func list(with chunk: [UInt8], command: String) throws(LoadError) -> [UInt8] {
    guard let former = held else { return chunk }
    let bytes = former + chunk
    if let mark = Self.marks.first(where: { bytes.starts(with: $0.bytes) }) {
      if let format = mark.format { throw Self.error(format, mark.converter, command) }
      held = nil
      return Array(bytes.dropFirst(mark.bytes.count))
    }
    if Self.marks.contains(where: { $0.bytes.starts(with: bytes) }) {
      held = bytes
      return []
    }
    held = nil
    return bytes
  }

  /// Returns the held bytes of a list that is shorter than a mark; nil if none are held.
  mutating func end() -> [UInt8]? {
    defer { held = nil }
    return held
  }

  private static func error(_ format: String, _ converter: String?, _ command: String) -> LoadError {
    guard let converter else {
      return LoadError(
        .invalidRequest, "it is \(format), not a list of URLs; to decode it, use cellophane decode")
    }
    return LoadError(
      .invalidRequest, "it is \(format); pipe it: \(converter) LIST | cellophane \(command) -")
  }
}
