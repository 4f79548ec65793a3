/// The directives of `Cache-Control` that a private cache obeys, those of requests and of responses (RFC 9111,
/// section 5.2; RFC 5861), read by the grammar: names without case, values as tokens or quoted strings, several
/// fields as one list, anything else ignored. Of a directive that comes several times the first counts, and a
/// value that is no number is the strictest one.
struct CacheControl: Hashable, Sendable {
  /// Nothing of the message may be kept.
  private(set) var noStore = false
  /// The response may be kept but must be validated before each use. The form that names header fields
  /// (`no-cache="set-cookie"`) is taken as the plain one, the stricter reading.
  private(set) var noCache = false
  /// Once it is stale, the response must be validated before each use.
  private(set) var mustRevalidate = false
  /// Only caches may answer the request.
  private(set) var onlyIfCached = false
  /// Seconds that the response stays fresh, or the age below which a request accepts one. One that is no number
  /// is 0, as RFC 9111, section 4.2.1, advises for broken freshness information.
  private(set) var maxAge: Int64?
  /// Seconds for which a response must stay fresh to answer the request.
  private(set) var minFresh: Int64?
  /// Seconds by which a response may be stale to answer the request; ``largestDelta`` when any may be.
  private(set) var maxStale: Int64?
  /// Seconds by which the response may be stale to be used although the origin is asked meanwhile.
  private(set) var staleWhileRevalidate: Int64?
  /// Seconds by which the response may be stale to be used when the origin has an error.
  private(set) var staleIfError: Int64?

  /// The directives of every `Cache-Control` field in `headers`.
  init(_ headers: HeaderFields) {
    for directive in FieldList("cache-control", in: headers) { apply(directive) }
  }

  /// The largest delta-seconds: a recipient may take everything above 2^31 as this (RFC 9111, 1.2.2).
  static let largestDelta: Int64 = 1 << 31

  /// Non-negative whole seconds, clamped to ``largestDelta``; nil when `digits` is anything else.
  static func deltaSeconds(_ digits: some Collection<UInt8>) -> Int64? {
    Int(digits: digits).map { min(Int64($0), largestDelta) }
  }

  private mutating func apply(_ element: ArraySlice<UInt8>) {
    let name = element.prefix { $0 != UInt8(ascii: "=") }
    let word = name.trimmed
    // The grammar allows no blank around the sign.
    var seconds: Int64? {
      let value = word.count == name.count ? Self.value(element[name.endIndex...].dropFirst()) : nil
      return value.flatMap(Self.deltaSeconds)
    }
    switch String(decoding: word, as: UTF8.self).lowercased() {
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
}
