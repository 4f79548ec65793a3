internal import Cellophane

/// The first bytes of a list. They tell a list from a file that another program must convert.
struct ListStart: Sendable {
  /// A magic number, and the format that it marks.
  private struct Mark {
    let bytes: [UInt8]
    /// The name of the format.
    let format: String
    /// What to do with the file, with `COMMAND` for the command that reads the list.
    let remedy: String
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static let marks = [
    piped([0x1F, 0x8B], "compressed", through: "gzip -dc LIST"),
    piped([0x28, 0xB5, 0x2F, 0xFD], "compressed", through: "zstd -dc LIST"),
    piped([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "compressed", through: "xz -dc LIST"),
    piped(Array("BZh".utf8), "compressed", through: "bzip2 -dc LIST"),
    piped([0x04, 0x22, 0x4D, 0x18], "compressed", through: "lz4 -dc LIST"),
    piped([0xFF, 0xFE], "UTF-16", through: "iconv -f UTF-16 -t UTF-8 LIST"),
    piped([0xFE, 0xFF], "UTF-16", through: "iconv -f UTF-16 -t UTF-8 LIST"),
    table(Array("PAR1".utf8), "a Parquet file"), table(Array("ARROW1".utf8), "an Arrow file"),
    table(Array("ORC".utf8), "an ORC file"), table(Array("SQLite format 3\0".utf8), "an SQLite database"),
    table(Array("FEA1".utf8), "a Feather file"), table(Array("Obj\u{1}".utf8), "an Avro file"),
    table([0x89, 0x48, 0x44, 0x46], "an HDF5 file"), table([0x93] + Array("NUMPY".utf8), "a NumPy file"),
    archive([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip file"), archive(Array("Rar!".utf8), "a RAR file"),
    Mark(
      bytes: Array("PK\u{3}\u{4}".utf8), format: "a zip file or a spreadsheet, not a list of URLs",
      remedy: "unpack it, or save the spreadsheet as CSV"),
    Mark(
      bytes: [0xD0, 0xCF, 0x11, 0xE0],
      format: "a spreadsheet or another document of an office program, not a list of URLs",
      remedy: "save it as CSV"),
    Mark(
      bytes: Array("%PDF".utf8), format: "a PDF document, not a list of URLs",
      remedy: "write its URLs to a file, one per line"),
    Mark(
      bytes: Array("<?xml".utf8), format: "an XML file, not a list of URLs",
      remedy: "write its URLs to a file, one per line"),
    Mark(
      bytes: Array("<!".utf8), format: "an HTML page, not a list of URLs",
      remedy: "write its URLs to a file, one per line"),
    Mark(bytes: JPEGHeader.signature, format: "a JPEG image, not a list of URLs", remedy: decode),
    // The last four bytes of the signature only detect damage in transit.
    Mark(
      bytes: Array(PNGHeader.signature.prefix(4)), format: "a PNG image, not a list of URLs", remedy: decode),
  ]

  /// The start of UTF-16 and UTF-32 without a byte order mark, and of most binary files.
  private static let binary = Mark(
    bytes: [], format: "a binary file or UTF-16, not a list of URLs",
    remedy: "convert it to text, for example with iconv -f UTF-16LE -t UTF-8 LIST | COMMAND")
  /// The number of bytes that show a binary file. 8: such a file often starts with a number of 8 bytes.
  private static let binaryStart = 8

  private static let decode = "to decode it, use cellophane decode"
  /// The longest start of a JSON array that is held until its first element is known.
  private static let longestArrayStart = 4_096

  /// The bytes so far, while they may be the start of a mark; nil afterwards.
  private var held: [UInt8]? = []

  /// Returns the bytes to parse: `chunk` with the held bytes, without a byte order mark. Returns an empty array while
  /// there are too few bytes to decide.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the file is not a list. The advice names `command`.
  mutating func list(with chunk: [UInt8], command: String) throws(LoadError) -> [UInt8] {
    guard let former = held else { return chunk }
    let bytes = former + chunk
    let isBinary = bytes.prefix(Self.binaryStart).contains(0)
    if let mark = Self.marks.first(where: { bytes.starts(with: $0.bytes) }) ?? (isBinary ? Self.binary : nil)
    {
      throw LoadError(
        .invalidRequest,
        "it is \(mark.format); " + mark.remedy.replacing("COMMAND", with: "cellophane \(command) -"))
    }
    let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(Self.byteOrderMark.count) : bytes[...]
    let array = Self.arrayElement(text)
    if let element = array ?? nil { throw Self.arrayError(of: element, command) }
    let mayBeArray = array != nil && text.count < Self.longestArrayStart
    let mayBeBinary = bytes.count < Self.binaryStart && !bytes.contains(UInt8(ascii: "\n"))
    if mayBeArray || mayBeBinary
      || (Self.marks.map(\.bytes) + [Self.byteOrderMark]).contains(where: { $0.starts(with: bytes) })
    {
      held = bytes
      return []
    }
    held = nil
    return Array(text)
  }

  /// Returns the first byte of the first element of a JSON array of strings or objects, or nil within nil if `text`
  /// ends before it. Returns nil for other text.
  private static func arrayElement(_ text: ArraySlice<UInt8>) -> UInt8?? {
    let text = text.trimmed
    guard let first = text.first else { return .some(nil) }
    guard first == UInt8(ascii: "[") else { return nil }
    guard let element = text.dropFirst().trimmed.first else { return .some(nil) }
    return element == UInt8(ascii: "\"") || element == UInt8(ascii: "{") ? element : nil
  }

  private static func arrayError(of element: UInt8, _ command: String) -> LoadError {
    let conversion =
      element == UInt8(ascii: "{")
      ? "jq -c '.[]' LIST | cellophane \(command) - --format jsonl"
      : "jq -r '.[]' LIST | cellophane \(command) -"
    return LoadError(.invalidRequest, "it is a JSON array; write its elements as lines: \(conversion)")
  }

  /// Returns the held bytes of a list that is shorter than a mark; nil if none are held.
  mutating func end() -> [UInt8]? {
    defer { held = nil }
    return held.map {
      $0.starts(with: Self.byteOrderMark) ? Array($0.dropFirst(Self.byteOrderMark.count)) : $0
    }
  }

  private static func piped(_ bytes: [UInt8], _ format: String, through program: String) -> Mark {
    Mark(bytes: bytes, format: format, remedy: "pipe it: \(program) | COMMAND")
  }

  private static func archive(_ bytes: [UInt8], _ format: String) -> Mark {
    Mark(bytes: bytes, format: format + ", not a list of URLs", remedy: "unpack it")
  }

  private static func table(_ bytes: [UInt8], _ format: String) -> Mark {
    Mark(
      bytes: bytes, format: format + ", not a list of URLs",
      remedy:
        "write its columns as CSV, for example with duckdb or pandas, and read that: COMMAND --format csv")
  }
}
