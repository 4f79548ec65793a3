/// A status line and header fields, read from the lines that libcurl hands over. Pure.
struct ResponseHead {
  /// The status code; 200 when there is no status line, which only a `file:` URL lacks.
  private(set) var status = 200
  /// The header fields.
  private(set) var fields = HeaderFields()
  /// True from the empty line on.
  private(set) var isWhole = false
  private var size = 0

  /// The largest head accepted. 256 KB: browsers stop there; servers send 1.
  static let largest = 256 << 10

  /// Takes the next line, with its line break. A new status line starts over, so that what an interim
  /// answer (103, say) or a proxy's CONNECT said is forgotten; a trailer after the body is ignored. False
  /// when the head is too large.
  mutating func take(_ line: [UInt8]) -> Bool {
    if line.starts(with: "HTTP/".utf8) {
      self = ResponseHead()
      status = Self.status(in: line)
    } else if isWhole {
      return true
    } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
      isWhole = true
    } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      // A folded line, obsolete since RFC 7230; the field keeps its first line.
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: line[..<colon], as: UTF8.self)
      fields.append(name, String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self))
    }
    size += line.count
    return size <= Self.largest
  }

  /// What `Content-Length` says, when the answer has a body at all.
  var length: Int? {
    switch status {
    case 100..<200, 204, 304: nil
    default: fields["content-length"].flatMap { $0.utf8.allSatisfy(Self.isDigit) ? Int($0) ?? .max : nil }
    }
  }

  /// True when the answer asks for another URL.
  var isRedirect: Bool { RedirectPolicy.isRedirect(status) && fields["location"] != nil }

  private static func status(in line: [UInt8]) -> Int {
    let code = line.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first ?? []
    return Int(String(decoding: Self.trimmed(code), as: UTF8.self)) ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return bytes[first...last]
  }
}
