/// HTTP header fields, in the order in which they were added.
///
/// Names are in lower case; values are unchanged. Each character of a value represents the byte with the same
/// number (ISO 8859-1), as in the Fetch standard, so that bytes outside ASCII are preserved.
public struct HeaderFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One field: a lower-case name and its value.
  public struct Field: Hashable, Sendable {
    /// The name, in lower case.
    public let name: String
    /// The value, as given.
    public let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in the order in which they were added.
  public private(set) var fields: [Field] = []

  /// Creates an empty collection of fields.
  public init() {}

  /// Creates the fields of a dictionary literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// The first value of `name`, which is case-insensitive. Setting a value replaces every field with that
  /// name.
  public subscript(name: String) -> String? {
    get {
      // Most names are given in lower case, so that the search needs no copy.
      if let field = fields.first(where: { $0.name == name }) { return field.value }
      let lowered = Self.lowered(name)
      return lowered == name ? nil : fields.first { $0.name == lowered }?.value
    }
    set {
      let lowered = Self.lowered(name)
      fields.removeAll { $0.name == lowered }
      if let newValue { fields.append(Field(name: lowered, value: newValue)) }
    }
  }

  /// Returns every value of `name`, in order.
  public func values(of name: String) -> [String] {
    let name = Self.lowered(name)
    var values: [String] = []
    for field in fields where field.name == name { values.append(field.value) }
    return values
  }

  /// Appends a field and keeps earlier fields with the same name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: Self.lowered(name), value: value))
  }

  /// Reserves storage for `count` fields.
  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Appends a field, whose name is already in lower case.
  package mutating func append(_ field: Field) { fields.append(field) }

  /// Appends `text` to the value of the last field. Does nothing if there are no fields.
  package mutating func continueLast(with text: String) {
    guard let last = fields.popLast() else { return }
    append(Field(name: last.name, value: last.value + text))
  }

  /// Appends all fields of `others`.
  package mutating func append(_ others: HeaderFields) {
    fields += others.fields
  }

  /// The number of bytes in all names and values.
  package var byteCount: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

  /// True if there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  /// Returns whether a request field with this lower-case name identifies a user or is addressed to a proxy
  /// (RFC 9110, sections 11.6 and 11.7; RFC 6265). Only the origin that the request was made for may receive
  /// such a field.
  package static func isCredential(_ name: String) -> Bool {
    var name = name
    return name.hasPrefix("proxy-")
      || name.withUTF8 { name in credentialWords.contains { unsafe name.span.contains($0) } }
  }

  /// Words in the names of fields that carry credentials: `Authorization`, `Cookie`, and non-standard fields such
  /// as `X-Api-Key`, `Private-Token`, `CF-Access-Client-Secret` and `X-Amz-Security-Token`. A name that contains
  /// one by chance costs a place on disk; a missed one discloses a secret.
  private static let credentialWords = [
    "auth", "cookie", "credential", "key", "passwd", "password", "secret", "session", "signature", "token",
  ].map { Array($0.utf8) }

  /// Returns the fields sorted by name. The values of one name keep their order.
  package func sortedByName() -> HeaderFields {
    var sorted = self
    sorted.fields = fields.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map(\.element)
    return sorted
  }

  /// Connection-specific fields and fields that frame a body.
  ///
  /// With such a field on a request without a body, an origin or a proxy could take the next request on the
  /// connection for its body (RFC 9110, section 7.6.1; RFC 9112, section 11.2).
  private static let framing: Set<String> = [
    "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding",
    "upgrade",
  ]

  /// The reason that these fields cannot be sent with a request: ``defect``, or a field that only the
  /// transport may set. Nil if they can.
  package var requestDefect: String? {
    if let defect { return defect }
    return fields.first { Self.framing.contains($0.name) }.map {
      "the transport sets the header '\($0.name)' itself; remove it from the request"
    }
  }

  /// The reason that these are not valid header fields, or nil. A line break or NUL in a value would let the
  /// caller's data inject header fields (RFC 9110, section 5.5).
  package var defect: String? {
    for (index, field) in fields.enumerated() {
      // The message omits the name: if the colon was forgotten, it contains the value.
      if field.name.isEmpty || !field.name.utf8.allSatisfy(Self.isTokenByte) {
        return "the name of header \(index + 1) is invalid; use letters, digits and hyphens"
      }
      if field.value.utf8.contains(where: Self.isControl) {
        return "the value of the header '\(field.name)' has a control character; remove it"
      }
      if !field.value.isFieldBytes {
        return "the value of the header '\(field.name)' has a character above U+00FF; remove it"
      }
    }
    return nil
  }

  /// Returns `name` in lower case. Names that this package passes are lower-case already and are not copied.
  private static func lowered(_ name: String) -> String {
    let isLower = name.utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    return isLower ? name : name.lowercased()
  }

  /// Returns whether `name` is a valid field name (RFC 9110, section 5.6.2).
  package static func isToken(_ name: Span<UInt8>) -> Bool {
    !name.isEmpty && !name.contains(in: name.indices) { !isTokenByte($0) }
  }

  /// Returns whether a field name may contain `byte`.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
      true
    default: "!#$%&'*+.^_`|~".utf8.contains(byte)
    }
  }

  /// Returns whether `byte` is forbidden in a value: a control character other than the tab.
  package static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}
