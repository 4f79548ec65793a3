/// The directives of `Cache-Control` that a private cache obeys (RFC 9111, section 5.2), read by the grammar:
/// names without case, values as tokens or quoted strings, several fields as one list, anything else ignored.
struct CacheControl: Hashable, Sendable {
  /// Nothing of the message may be kept.
  private(set) var noStore = false
  /// The response may be kept but must be validated before each use. The form that names header fields
  /// (`no-cache="set-cookie"`) is taken as the plain one, the stricter reading.
  private(set) var noCache = false
  /// Seconds that the response stays fresh. Of several the first counts; one that is no number is 0, as
  /// RFC 9111, section 4.2.1, advises for broken freshness information.
  private(set) var maxAge: Int64?

  /// The directives of every `Cache-Control` field in `headers`.
  init(_ headers: HeaderFields) {
    for field in headers.fields where field.name == "cache-control" {
      var rest = Array(field.value.utf8)[...]
      while !rest.isEmpty { apply(Self.nextDirective(&rest)) }
    }
  }

  /// The largest delta-seconds: a recipient may take everything above 2^31 as this (RFC 9111, 1.2.2).
  static let largestDelta: Int64 = 1 << 31

  /// Non-negative whole seconds, clamped to ``largestDelta``; nil when `digits` is anything else.
  static func deltaSeconds(_ digits: some Collection<UInt8>) -> Int64? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = min(value * 10 + Int64(digit - UInt8(ascii: "0")), largestDelta)
    }
    return value
  }

  private typealias Directive = (name: String, value: [UInt8])

  private mutating func apply(_ directive: Directive) {
    switch directive.name {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "max-age": if maxAge == nil { maxAge = Self.deltaSeconds(directive.value) ?? 0 }
    default: break
    }
  }

  /// Takes one list element and the comma behind it. A comma within quotes does not end it.
  private static func nextDirective(_ rest: inout ArraySlice<UInt8>) -> Directive {
    var name: [UInt8] = []
    var value: [UInt8] = []
    var isValue = false
    var isQuoted = false
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isValue:
        isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted:
        if let escaped = rest.popFirst() { value.append(escaped) }
      case UInt8(ascii: ",") where !isQuoted:
        return (trimmed(name), value)
      case UInt8(ascii: "=") where !isValue:
        isValue = true
      case UInt8(ascii: " ") where !isQuoted, UInt8(ascii: "\t") where !isQuoted:
        if !isValue { name.append(byte) }
      default:
        if isValue { value.append(byte) } else { name.append(byte) }
      }
    }
    return (trimmed(name), value)
  }

  private static func trimmed(_ name: [UInt8]) -> String {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = name.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
    return String(decoding: end, as: UTF8.self).lowercased()
  }
}
