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
      while !rest.isEmpty { apply(Self.nextElement(&rest)) }
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

  private mutating func apply(_ element: ArraySlice<UInt8>) {
    let name = element.prefix { $0 != UInt8(ascii: "=") }
    let word = Self.trimmed(name)
    switch String(decoding: word, as: UTF8.self).lowercased() {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "max-age" where maxAge == nil:
      // The grammar allows no blank around the sign.
      let value = word.count == name.count ? Self.value(element[name.endIndex...].dropFirst()) : nil
      maxAge = value.flatMap(Self.deltaSeconds) ?? 0
    default: break
    }
  }

  /// Takes one list element and the comma behind it. A comma within quotes does not end it.
  private static func nextElement(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isQuoted = false
    var isEscaped = false
    let end = rest.firstIndex { byte in
      if isEscaped {
        isEscaped = false
        return false
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = isQuoted
      case UInt8(ascii: "\""): isQuoted.toggle()
      default: break
      }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    let element = rest[..<(end ?? rest.endIndex)]
    rest = rest[element.endIndex...].dropFirst()
    return trimmed(element)
  }

  /// What a token or a quoted string says; nil for a string with no end, or with something behind it.
  private static func value(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.first == UInt8(ascii: "\"") else { return Array(text) }
    var value: [UInt8] = []
    var rest = text.dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return rest.isEmpty ? value : nil
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        value.append(escaped)
      default: value.append(byte)
      }
    }
    return nil
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = text.drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
  }
}
