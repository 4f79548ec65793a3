/// A status line and header fields, parsed from the bytes that libcurl delivers. Pure.
///
/// libcurl determines the length of the body; ``defect`` and ``framingDefect`` reject every head that two
/// parsers might interpret differently.
struct ResponseHead: Equatable {
  /// The status code.
  let status: Int
  /// The header fields.
  let fields: HeaderFields
  /// The version after `HTTP/`.
  private let version: String
  /// True for HTTP/1, in which a connection carries one response at a time.
  let isHTTP1: Bool
  /// True if parsers may disagree about a field because of a control character.
  private let isAmbiguous: Bool
  /// True if a field has whitespace before its colon.
  private let hasWideName: Bool
  private let contentLength: ContentLength
  private let relevant: RelevantFields

  /// The fields that determine how a response is read. Most heads have one of them, and the others need no
  /// search.
  struct RelevantFields: OptionSet {
    let rawValue: UInt8

    static let length = RelevantFields(rawValue: 1)
    static let contentCoding = RelevantFields(rawValue: 2)
    static let transferCoding = RelevantFields(rawValue: 4)
    static let location = RelevantFields(rawValue: 8)

    /// Creates the set for the field called `name`; empty for other fields.
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

  /// The value of `Content-Length` in one or several fields (RFC 9110, section 8.6).
  private enum ContentLength: Equatable {
    case absent
    /// A number of bytes; `Int.max` for larger numbers.
    case length(Int)
    /// Different numbers, or a value that is not a number.
    case invalid
  }

  /// The head of a file, which has none.
  static let forFile = ResponseHead(status: 200, fields: [:], [], version: "")
  /// The maximum size of all heads of a response: interim ones, the final one, and trailers. 256 KB: browsers
  /// use the same limit; servers send about 1 KB.
  static let maxBytes = 256 << 10
  /// The maximum number of lines of these heads. 1 000: ten times the default of Apache for requests.
  static let maxLines = 1_000

  private init(
    status: Int, fields: HeaderFields, _ relevant: RelevantFields, version: String, isAmbiguous: Bool = false,
    hasWideName: Bool = false
  ) {
    self.status = status
    self.fields = fields
    self.relevant = relevant
    self.version = version
    isHTTP1 = version.hasPrefix("1.")
    (self.isAmbiguous, self.hasWideName) = (isAmbiguous, hasWideName)
    contentLength = relevant.contains(.length) ? Self.contentLength(in: fields) : .absent
  }

  /// Parses the head in `lines`; nil if they do not start with a status line. Skips a line without a field
  /// name. A line that starts with whitespace continues the line before (RFC 9112, section 5.2).
  ///
  /// - Parameter cache: The lines of recent heads. Affects only the time.
  init?(_ lines: [UInt8], cache: HeaderFieldCache) {
    guard lines.starts(with: "HTTP/".utf8) else { return nil }
    let bytes = lines.span
    var start = 0
    let statusLine = lines[bytes.nextLine(from: &start)]
    var fields = HeaderFields()
    // Enough for most heads.
    fields.reserveCapacity(16)
    var relevant: RelevantFields = []
    var isSkipped = true
    var isAmbiguous = false
    var hasWideName = false
    var index = 0
    while start < bytes.count {
      if let (field, kind) = cache.next(index, in: bytes, from: &start) {
        fields.append(field)
        relevant.formUnion(kind)
        isSkipped = false
        index += 1
        continue
      }
      let lineStart = start
      let line = bytes.nextLine(from: &start)
      let content = bytes.trimmed(line)
      if content.isEmpty { continue }
      if content.lowerBound > line.lowerBound {
        if isSkipped { continue }
        let kind = fields.fields.last.map { RelevantFields(name: $0.name) } ?? []
        let rest = Self.value(bytes.extracting(content), of: kind, isAmbiguous: &isAmbiguous)
        fields.continueLast(with: " " + rest.text)
        continue
      }
      let name = line.lowerBound..<bytes.firstIndex(of: UInt8(ascii: ":"), in: line)
      isSkipped = name.upperBound == line.upperBound || !HeaderFields.isToken(bytes.extracting(name))
      if isSkipped {
        // Some parsers remove the whitespace and accept the field (RFC 9112, section 5.1); libcurl drops the
        // field.
        let trimmed = bytes.trimmed(name)
        if trimmed.upperBound < name.upperBound, HeaderFields.isToken(bytes.extracting(trimmed)) {
          hasWideName = true
        }
        continue
      }
      let range = bytes.trimmed((name.upperBound + 1)..<line.upperBound)
      let lowercased = String(lowercasedASCII: bytes.extracting(name))
      let kind = RelevantFields(name: lowercased)
      let value = Self.value(bytes.extracting(range), of: kind, isAmbiguous: &isAmbiguous)
      let field = HeaderFields.Field(name: lowercased, value: value.text)
      fields.append(field)
      relevant.formUnion(kind)
      if !value.hasControl, bytes[start - 1] == UInt8(ascii: "\n"),
        cache.keep(field, kind, index, bytes.extracting(lineStart..<start))
      {
        index += 1
      }
    }
    let space = UInt8(ascii: " ")
    let code = statusLine.drop { $0 != space }.drop { $0 == space }.prefix { $0 != space }.trimmed
    self.init(
      // Three digits (RFC 9112, section 4).
      status: code.count == 3 ? Int(digits: code) ?? 0 : 0, fields: fields, relevant,
      version: String(decoding: statusLine.dropFirst(5).prefix { $0 != space }, as: UTF8.self),
      isAmbiguous: isAmbiguous, hasWideName: hasWideName)
  }

  /// Returns the value in `bytes` for a field of `kind`, and whether it had a control character, which is a space in it
  /// (RFC 9110, section 5.5). A parser may end the value at a carriage return or null byte, and fields that determine
  /// how a response is read have no such space.
  private static func value(
    _ bytes: Span<UInt8>, of kind: RelevantFields, isAmbiguous: inout Bool
  ) -> (text: String, hasControl: Bool) {
    let text = String(fieldBytes: bytes)
    guard bytes.contains(in: 0..<bytes.count, where: HeaderFields.isControl) else { return (text, false) }
    let mayEnd = bytes.contains(in: 0..<bytes.count) { $0 == 0 || $0 == UInt8(ascii: "\r") }
    isAmbiguous = isAmbiguous || mayEnd || !kind.isEmpty
    let spaced = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    return (String(String.UnicodeScalarView(spaced)), true)
  }

  /// The reason that the head is unusable, to follow "sent"; nil if it is usable.
  var defect: String? {
    if isAmbiguous { return "a header field with a control character" }
    if status == 101 { return "status 101, a protocol switch that was not requested" }
    // No other status leads anywhere.
    if relevant.contains(.location), hasResource || RedirectPolicy.isRedirect(status),
      Set(fields.values(of: "location")).count > 1
    {
      return "two different Location fields"
    }
    return nil
  }

  /// The reason that two parsers may disagree about the end of the body, to follow "sent"; nil if there is
  /// none.
  var framingDefect: String? {
    if hasWideName { return "a header field with whitespace before its colon" }
    if relevant.contains(.transferCoding) {
      // Two programs of an origin may both add the field, and one of them chunks the body.
      let codings = fields.values(of: "transfer-encoding")
      guard codings.allSatisfy({ $0.lowercased() == "chunked" }) else {
        return "a Transfer-Encoding other than chunked"
      }
      guard !relevant.contains(.length) else { return "both Transfer-Encoding and Content-Length" }
    }
    return contentLength == .invalid ? "a Content-Length that is not a single number" : nil
  }

  /// True if the body is the requested resource. The body of any other final response is a page for people,
  /// which no caller reads.
  var hasResource: Bool { (200..<300).contains(status) }

  /// True for chunks in HTTP/1.0. A peer of that version may not know them, so that the connection must not be
  /// used again (RFC 9112, section 6.1).
  var forbidsReuse: Bool { version == "1.0" && relevant.contains(.transferCoding) }

  /// False for statuses that never have a body (RFC 9112, section 6.3).
  var hasBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// The value of `Content-Length` if the response has a body; `Int.max` for larger numbers.
  var length: Int? {
    guard hasBody, case .length(let length) = contentLength else { return nil }
    return length
  }

  /// True if only the end of the connection marks the end of the body (RFC 9112, section 6.3, item 8), or if
  /// an HTTP/2 response has no length. An HTTP/2 stream has an explicit end, but libcurl 7.88.1 also treats a
  /// stream as ended that was reset without an error, or whose connection broke a protocol rule.
  var isCloseDelimited: Bool {
    contentLength == .absent && !version.isEmpty && hasBody && !relevant.contains(.transferCoding)
  }

  /// True if the response redirects to another URL.
  var isRedirect: Bool { RedirectPolicy.isRedirect(status) && relevant.contains(.location) }

  /// The codings applied to the body, as in ``HeaderFields/contentCodings``.
  var contentCodings: [String] { relevant.contains(.contentCoding) ? fields.contentCodings : [] }

  /// Returns the reason that `body` is coded, although its head names no known coding; nil if there is none.
  func codingDefect(of body: some Collection<UInt8>) -> String? {
    // A part may start with any bytes.
    relevant.contains(.contentCoding) && status != 206 ? fields.codingDefect(of: body) : nil
  }

  /// True if the peer closes the connection after the response (RFC 9112, section 9.3).
  var closes: Bool {
    let options = FieldList("connection", in: fields).map { String(decoding: $0, as: UTF8.self).lowercased() }
    return options.contains("close") || version == "1.0" && !options.contains("keep-alive")
  }

  private static func contentLength(in fields: HeaderFields) -> ContentLength {
    // Fast path
    var lengths = fields.fields.lazy.filter { $0.name == "content-length" }.makeIterator()
    if let number = lengths.next().flatMap({ Int(digits: $0.value.utf8) }), lengths.next() == nil {
      return .length(number)
    }
    var contentLength = ContentLength.absent
    for member in FieldList("content-length", in: fields) {
      guard let number = Int(digits: member) else { return .invalid }
      let length = ContentLength.length(number)
      guard contentLength == .absent || contentLength == length else { return .invalid }
      contentLength = length
    }
    return contentLength == .absent ? .invalid : contentLength
  }
}
