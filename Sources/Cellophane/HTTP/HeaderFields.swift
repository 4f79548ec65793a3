/// HTTP header fields: names in lower case, values as given, in the order they were added. A character of a value is
/// the byte of its number (ISO 8859-1), as in the Fetch standard: what is no ASCII comes back as it was.
public struct HeaderFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One field: a lower-case name and its value.
  public struct Field: Hashable, Sendable {
    /// The name, in lower case.
    public let name: String
    /// The value, as given.
    public let value: String
  }

  /// The fields in the order they were added.
  public private(set) var fields: [Field] = []

  /// No fields.
  public init() {}

  /// The fields of a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// The first value of `name`, compared without case; setting it replaces every field of that name.
  public subscript(name: String) -> String? {
    get {
      let name = Self.lowered(name)
      return fields.first { $0.name == name }?.value
    }
    set {
      let lowered = Self.lowered(name)
      fields.removeAll { $0.name == lowered }
      if let newValue { fields.append(Field(name: lowered, value: newValue)) }
    }
  }

  /// Every value of `name`, in order.
  public func values(of name: String) -> [String] {
    let name = Self.lowered(name)
    var values: [String] = []
    for field in fields where field.name == name { values.append(field.value) }
    return values
  }

  /// Adds a field behind the others, keeping earlier ones of the same name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: Self.lowered(name), value: value))
  }

  /// Sets memory aside for so many fields.
  mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Adds a field.
  mutating func append(_ field: Field) { fields.append(field) }

  /// Adds `text` to the value of the last field.
  mutating func continueLast(with text: String) {
    guard let last = fields.popLast() else { return }
    append(Field(name: last.name, value: last.value + text))
  }

  /// Adds `others` behind these.
  mutating func append(_ others: HeaderFields) {
    fields += others.fields
  }

  /// The bytes of all names and values.
  var byteCount: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

  /// True when there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  /// Whether the fields of a lower-case name identify a user, or are a proxy's business (RFC 9110, sections 11.6
  /// and 11.7; RFC 6265): what only the origin may see that it was meant for.
  static func isCredential(_ name: String) -> Bool {
    name == "authorization" || name == "cookie" || name.hasPrefix("proxy-") || keys.contains(name)
  }

  /// What no standard names and services take keys in: Amazon's and Google's clouds, Azure's gateways, GitLab, Vault, and
  /// many in the first line's names.
  private static let keys: Set<String> = [
    "api-key", "apikey", "x-access-token", "x-api-key", "x-api-token", "x-auth-key", "x-auth-token",
    "job-token", "ocp-apim-subscription-key", "private-token", "x-amz-security-token", "x-functions-key",
    "x-goog-api-key", "x-vault-token",
  ]

  /// The same fields in an order that depends on names alone; values of one name keep theirs.
  func sortedByName() -> HeaderFields {
    var sorted = self
    sorted.fields = fields.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map(\.element)
    return sorted
  }

  /// Fields of one connection, or of a body's framing. Beside a request without a body, over a connection that others
  /// use too, an origin or a proxy would take what follows for that body (RFC 9110, section 7.6.1; RFC 9112, section
  /// 11.2).
  private static let framing: Set<String> = [
    "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding",
    "upgrade",
  ]

  /// What is wrong with these as a request's, or nil: ``defect``, or a field that only the transport may set.
  package var requestDefect: String? {
    if let defect { return defect }
    return fields.first { Self.framing.contains($0.name) }.map {
      "the header '\($0.name)' is the transport's business and cannot be given; leave it out"
    }
  }

  /// What is wrong with these as header fields, or nil: a line break or NUL in a value would let the
  /// caller's data write headers of its own (RFC 9110, section 5.5).
  var defect: String? {
    for (index, field) in fields.enumerated() {
      // Not shown: a value whose colon was forgotten would stand there.
      if field.name.isEmpty || !field.name.utf8.allSatisfy(Self.isOfToken) {
        return "the name of header \(index + 1) is not a token"
      }
      if field.value.utf8.contains(where: Self.isControl) {
        return "the value of the header '\(field.name)' has a control character"
      }
      if !field.value.isFieldBytes {
        return "the value of the header '\(field.name)' has a character beyond U+00FF; each must be one byte"
      }
    }
    return nil
  }

  /// `name` in lower case, which the names that we ask for are already: those are not copied.
  private static func lowered(_ name: String) -> String {
    let isLower = name.utf8.allSatisfy { $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    return isLower ? name : name.lowercased()
  }

  /// Whether `name` may be a field's name (RFC 9110, section 5.6.2).
  static func isToken(_ name: Span<UInt8>) -> Bool {
    !name.isEmpty && !name.contains(in: name.indices) { !isOfToken($0) }
  }

  /// Whether such a name may hold `byte`.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
      true
    default: "!#$%&'*+.^_`|~".utf8.contains(byte)
    }
  }

  /// Whether no value may hold `byte`: a control character other than the tab.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
}
