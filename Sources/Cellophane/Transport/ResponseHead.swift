/// A status line and header fields, read from the bytes that libcurl hands over. Pure.
struct ResponseHead: Equatable {
  /// The status code.
  let status: Int
  /// The header fields.
  let fields: HeaderFields

  /// What stands for the head of a file, which has none.
  static let ofFile = ResponseHead(status: 200, fields: [:])
  /// The largest head accepted. 256 KB: browsers stop there; servers send 1.
  static let largest = 256 << 10

  private init(status: Int, fields: HeaderFields) {
    self.status = status
    self.fields = fields
  }

  /// The head in `lines`; nil when they do not start with a status line. A line without a colon, and one
  /// that continues another (obsolete since RFC 7230), is passed over.
  init?(_ lines: [UInt8]) {
    guard lines.starts(with: "HTTP/".utf8) else { return nil }
    var fields = HeaderFields()
    var rest = lines[...]
    let statusLine = Self.nextLine(in: &rest)
    while !rest.isEmpty {
      let line = Self.nextLine(in: &rest)
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let first = line.first, !Self.isBlank(first)
      else { continue }
      fields.append(Self.text(line[..<colon]), Self.text(line[(colon + 1)...]))
    }
    let code = statusLine.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first
    self.init(status: code.flatMap { Int(Self.text($0)) } ?? 0, fields: fields)
  }

  /// What `Content-Length` says, when the answer has a body at all.
  var length: Int? {
    switch status {
    case 100..<200, 204, 304: nil
    default:
      fields["content-length"].flatMap { text in
        let isNumber =
          !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? Int(text) ?? .max : nil
      }
    }
  }

  /// True when the answer asks for another URL.
  var isRedirect: Bool { RedirectPolicy.isRedirect(status) && fields["location"] != nil }

  private static func nextLine(in rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    defer { rest = rest[min(end + 1, rest.endIndex)...] }
    return rest[..<end]
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
