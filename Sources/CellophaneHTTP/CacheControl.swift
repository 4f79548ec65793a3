/// The `Cache-Control` directives of requests and responses that a private cache obeys (RFC 9111, section
/// 5.2; RFC 5861).
///
/// Names are case-insensitive, values are tokens or quoted strings, and several fields form one list. Unknown
/// directives are ignored. If a directive is repeated, the first one counts. A value that is not a number is
/// read as the strictest value.
package struct CacheControl: Hashable, Sendable {
  /// The message must not be stored.
  package private(set) var noStore = false
  /// The response may be stored but must be validated before each use. The form that names header fields
  /// (`no-cache="set-cookie"`) is read as the plain form, which is stricter.
  package private(set) var noCache = false
  /// A stale response must be validated before each use.
  private(set) var mustRevalidate = false
  /// Only a cache may answer the request.
  package private(set) var onlyIfCached = false
  /// The lifetime of a response in seconds, or the largest age in seconds that a request accepts. A value
  /// that is not a number is read as 0, as RFC 9111, section 4.2.1, advises for invalid freshness
  /// information.
  package private(set) var maxAge: Int64?
  /// The number of seconds for which a response must stay fresh to answer the request.
  package private(set) var minFresh: Int64?
  /// The number of seconds for which a response may have been stale to answer the request; ``largestDelta``
  /// if any staleness is accepted.
  package private(set) var maxStale: Int64?
  /// The number of seconds after its lifetime during which the response may be used while it is revalidated.
  private(set) var staleWhileRevalidate: Int64?
  /// The number of seconds after its lifetime during which the response may be used if the origin fails.
  package private(set) var staleIfError: Int64?

  /// Reads the directives of every `Cache-Control` field in `headers`.
  package init(_ headers: HeaderFields) {
    // Most requests and many responses have no directives.
    guard headers.fields.contains(where: { $0.name == "cache-control" }) else { return }
    for directive in FieldList("cache-control", in: headers) { apply(directive) }
  }

  /// The largest delta-seconds. A recipient may clamp every value above 2^31 to it (RFC 9111, section 1.2.2).
  package static let largestDelta: Int64 = 1 << 31

  /// Returns a non-negative number of seconds, clamped to ``largestDelta``; nil if `digits` is anything else.
  static func deltaSeconds(_ digits: some Collection<UInt8>) -> Int64? {
    Int(digits: digits).map { min(Int64($0), largestDelta) }
  }

  private mutating func apply(_ element: ArraySlice<UInt8>) {
    let name = element.prefix { $0 != UInt8(ascii: "=") }
    let trimmedName = name.trimmed
    // The grammar allows no blank around the equals sign.
    var seconds: Int64? {
      let value = trimmedName.count == name.count ? Self.value(element[name.endIndex...].dropFirst()) : nil
      return value.flatMap(Self.deltaSeconds)
    }
    switch String(decoding: trimmedName, as: UTF8.self).lowercased() {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "only-if-cached": onlyIfCached = true
    case "max-age": maxAge = maxAge ?? seconds ?? 0
    case "min-fresh": minFresh = minFresh ?? seconds ?? Self.largestDelta
    case "max-stale": maxStale = maxStale ?? (name.count == element.count ? Self.largestDelta : seconds ?? 0)
    case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds ?? 0
    case "stale-if-error": staleIfError = staleIfError ?? seconds ?? 0
    default: break
    }
  }

  /// Returns the value of a token or a quoted string; nil if a string is not closed or has trailing bytes.
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
}
