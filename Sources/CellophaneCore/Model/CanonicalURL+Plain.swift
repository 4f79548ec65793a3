/// The fast path: most URLs are already canonical, and checking that takes a tenth of a general parser's
/// time.
extension CanonicalURL {
  /// Returns the origin of `text` if it is plainly canonical; nil for any other URL, which may be canonical
  /// as well.
  ///
  /// A plain URL has the scheme http or https and a name or an IPv4 address in lower case. It has a port only
  /// if that is not the scheme's default, it has a path, and no character is or must be encoded.
  static func originOfPlain(_ text: String) -> Origin? {
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe originOfPlain(in: $0) }
      ?? originOfPlain(in: text.utf8)
  }

  private static func originOfPlain(in bytes: some BidirectionalCollection<UInt8>) -> Origin? {
    let scheme = bytes.starts(with: "https:".utf8) ? "https" : "http"
    let separator = bytes.dropFirst(scheme.utf8.count)
    guard bytes.starts(with: scheme.utf8), separator.starts(with: "://".utf8) else { return nil }
    var last = UInt8(ascii: "/")
    let host = separator.dropFirst("://".utf8.count).prefix { byte in
      defer { last = byte }
      // Two hyphens may belong to the prefix `xn--` of a name in another script (Punycode).
      return byte.isPlainHostByte && !(byte == UInt8(ascii: "-") && last == byte)
    }
    guard !host.isEmpty else { return nil }
    var rest = bytes[host.endIndex...]
    var port = Origin.defaultPort(of: scheme)
    if rest.first == UInt8(ascii: ":") {
      let digits = rest.dropFirst().prefix(while: \.isDigit)
      guard digits.first != UInt8(ascii: "0"), let number = Int(digits: digits), number <= 65_535,
        number != port
      else { return nil }
      port = number
      rest = bytes[digits.endIndex...]
    }
    guard rest.first == UInt8(ascii: "/"), rest.allSatisfy(\.isPlainPathByte) else { return nil }
    return Origin(scheme: scheme, host: String(decoding: host, as: UTF8.self), port: port)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isPlainHostByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether the byte may occur unencoded in a path or in a query after it (RFC 3986, sections 3.3 and 3.4).
  fileprivate var isPlainPathByte: Bool {
    switch self {
    // The range from & to ; contains digits and allowed punctuation; from ? to Z also the capitals.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "?")...UInt8(ascii: "Z"),
      UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
      UInt8(ascii: "$"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
