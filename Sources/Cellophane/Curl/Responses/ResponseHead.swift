/// A status line and header fields, read from the bytes that libcurl hands over. Pure.
///
/// How long the body is, is libcurl's to find out; ``defect`` refuses every head of which two readers could
/// think differently.
struct ResponseHead: Equatable {
  /// The status code.
  let status: Int
  /// The header fields.
  let fields: HeaderFields
  /// What stands behind `HTTP/`.
  private let version: String
  /// True in HTTP/1, where a connection carries one answer to one request at a time.
  let isTurnByTurn: Bool
  /// What a field is that no field may be; nil when there is none.
  private let flaw: String?
  private let said: Said
  private let notable: Notable

  /// The fields that decide how an answer is read; most heads have one of them, and need not be searched for others.
  struct Notable: OptionSet {
    let rawValue: UInt8

    static let length = Notable(rawValue: 1)
    static let contentCoding = Notable(rawValue: 2)
    static let transferCoding = Notable(rawValue: 4)
    static let location = Notable(rawValue: 8)

    /// What the field called `name` is.
    init(name: String) {
      self =
        switch name {
        case "content-length": .length
        case "content-encoding": .contentCoding
        case "transfer-encoding": .transferCoding
        case "location": .location
        default: []
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// What `Content-Length` says, once or several times (RFC 9110, section 8.6).
  private enum Said: Equatable {
    case nothing
    /// A number; `Int.max` for more than that.
    case length(Int)
    /// Several numbers, or none.
    case nonsense
  }

  /// What stands for the head of a file, which has none.
  static let ofFile = ResponseHead(status: 200, fields: [:], [], version: "", flaw: nil)
  /// The most bytes accepted of all heads of one answer: interim ones, the last, and trailers. 256 KB: browsers
  /// stop there; servers send 1.
  static let largest = 256 << 10
  /// The most lines accepted of these heads. 1 000: ten times what Apache takes by default.
  static let mostLines = 1_000

  private init(status: Int, fields: HeaderFields, _ notable: Notable, version: String, flaw: String?) {
    self.status = status
    self.fields = fields
    self.notable = notable
    self.version = version
    isTurnByTurn = version.hasPrefix("1.")
    self.flaw = flaw
    said = notable.contains(.length) ? Self.said(by: fields) : .nothing
  }

  /// The head in `lines`; nil when they do not start with a status line. A line without a field's name is
  /// passed over, one that begins with a blank continues the line before (RFC 9112, section 5.2).
  ///
  /// - Parameter known: What came last; makes no difference but for the time.
  init?(_ lines: [UInt8], known: KnownFields) {
    guard lines.starts(with: "HTTP/".utf8) else { return nil }
    let bytes = lines.span
    var start = 0
    let statusLine = lines[bytes.nextLine(from: &start)]
    var fields = HeaderFields()
    // Most heads have fewer.
    fields.reserveCapacity(16)
    var notable: Notable = []
    var isPassedOver = true
    var hasControl = false
    var flaw: String?
    var place = 0
    while start < bytes.count {
      if let (field, kind) = known.next(place, in: bytes, from: &start) {
        fields.append(field)
        notable.formUnion(kind)
        isPassedOver = false
        place += 1
        continue
      }
      let begin = start
      let line = bytes.nextLine(from: &start)
      let content = bytes.trimmed(line)
      if content.isEmpty { continue }
      if content.lowerBound > line.lowerBound {
        if isPassedOver { continue }
        hasControl = hasControl || bytes.contains(in: content, where: HeaderFields.isControl)
        fields.continueLast(with: " " + String(fieldBytes: bytes.extracting(content)))
        continue
      }
      let name = line.lowerBound..<bytes.firstIndex(of: UInt8(ascii: ":"), in: line)
      isPassedOver = name.upperBound == line.upperBound || !HeaderFields.isToken(bytes.extracting(name))
      if isPassedOver {
        // Some would drop the blank and take the field (RFC 9112, section 5.1), libcurl drops the field.
        let trimmed = bytes.trimmed(name)
        if trimmed.upperBound < name.upperBound, HeaderFields.isToken(bytes.extracting(trimmed)) {
          flaw = "a header field with a blank before its colon"
        }
        continue
      }
      let value = bytes.trimmed((name.upperBound + 1)..<line.upperBound)
      let field = HeaderFields.Field(
        name: String(lowercasedASCII: bytes.extracting(name)),
        value: String(fieldBytes: bytes.extracting(value)))
      let kind = Notable(name: field.name)
      fields.append(field)
      notable.formUnion(kind)
      if bytes.contains(in: value, where: HeaderFields.isControl) {
        hasControl = true
      } else if bytes[start - 1] == UInt8(ascii: "\n"),
        known.keep(field, kind, place, bytes.extracting(begin..<start))
      {
        place += 1
      }
    }
    if hasControl { flaw = "a header field with a control character in it" }
    let blank = UInt8(ascii: " ")
    let code = statusLine.drop { $0 != blank }.drop { $0 == blank }.prefix { $0 != blank }.trimmed
    self.init(
      // Three digits (RFC 9112, section 4).
      status: code.count == 3 ? Int(digits: code) ?? 0 : 0, fields: fields, notable,
      version: String(decoding: statusLine.dropFirst(5).prefix { $0 != blank }, as: UTF8.self), flaw: flaw)
  }

  /// What makes the head unusable, to be read behind "sends"; nil when nothing does.
  var defect: String? {
    if let flaw { return flaw }
    if status == 101 { return "101, a change of the protocol that nobody asked for" }
    if notable.contains(.location), Set(fields.values(of: "location")).count > 1 {
      return "two different Location fields"
    }
    if notable.contains(.transferCoding) {
      let codings = fields.values(of: "transfer-encoding")
      guard codings.count == 1, codings[0].lowercased() == "chunked", version != "1.0" else {
        return "a Transfer-Encoding that nobody asked for"
      }
      guard !notable.contains(.length) else { return "both Transfer-Encoding and Content-Length" }
    }
    return said == .nonsense ? "a Content-Length that is not one number" : nil
  }

  /// False for the statuses that never have a body (RFC 9112, section 6.3).
  var hasBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// What `Content-Length` says, when the answer has a body at all; `Int.max` for more than that.
  var length: Int? {
    guard hasBody, case .length(let length) = said else { return nil }
    return length
  }

  /// True when nothing in an answer over a connection tells that its body is whole: it ends where the connection does
  /// (RFC 9112, section 6.3, number 8), or it is one of HTTP/2 without a length. There a stream has an end of its own, but
  /// libcurl takes one for ended that was reset without an error or whose connection broke a rule (7.88.1).
  var isCloseDelimited: Bool {
    said == .nothing && !version.isEmpty && hasBody && !notable.contains(.transferCoding)
  }

  /// True when the answer asks for another URL.
  var isRedirect: Bool { RedirectPolicy.isRedirect(status) && notable.contains(.location) }

  /// What codings were applied to the body, as ``HeaderFields/contentCodings``.
  var contentCodings: [String] { notable.contains(.contentCoding) ? fields.contentCodings : [] }

  private static func said(by fields: HeaderFields) -> Said {
    // Fast path
    var lengths = fields.fields.lazy.filter { $0.name == "content-length" }.makeIterator()
    if let number = lengths.next().flatMap({ Int(digits: $0.value.utf8) }), lengths.next() == nil {
      return .length(number)
    }
    var said = Said.nothing
    for member in FieldList("content-length", in: fields) {
      guard let number = Int(digits: member) else { return .nonsense }
      let length = Said.length(number)
      guard said == .nothing || said == length else { return .nonsense }
      said = length
    }
    return said == .nothing ? .nonsense : said
  }
}
