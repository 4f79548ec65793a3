/// Most URLs are written as they should be: to see that takes a tenth of the time that a general parser takes.
extension CanonicalURL {
  /// The origin of `text` when it is plain: http or https, a name or an IPv4 address in lower case, a port if it is not
  /// the scheme's own, a path, and nothing that is or would have to be encoded. Such a URL is canonical as it stands.
  /// Nil for any other, which may be as good.
  static func originOfPlain(_ text: String) -> Origin? {
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe originOfPlain(in: $0) }
      ?? originOfPlain(in: text.utf8)
  }

  private static func originOfPlain(in bytes: some BidirectionalCollection<UInt8>) -> Origin? {
    let scheme = bytes.starts(with: "https:".utf8) ? "https" : "http"
    let mark = bytes.dropFirst(scheme.utf8.count)
    guard bytes.starts(with: scheme.utf8), mark.starts(with: "://".utf8) else { return nil }
    var last = UInt8(ascii: "/")
    let host = mark.dropFirst("://".utf8.count).prefix { byte in
      defer { last = byte }
      // Behind two hyphens stands what is of another script.
      return byte.isOfPlainHost && !(byte == UInt8(ascii: "-") && last == byte)
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
    guard rest.first == UInt8(ascii: "/"), rest.allSatisfy(\.isOfPlainPath) else { return nil }
    return Origin(scheme: scheme, host: String(decoding: host, as: UTF8.self), port: port)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isOfPlainHost: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether it may stand in a path, or in a query behind it, as it is (RFC 3986, sections 3.3 and 3.4).
  fileprivate var isOfPlainPath: Bool {
    switch self {
    // From & to ; are the digits and marks that may; from ? to Z the capitals.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "?")...UInt8(ascii: "Z"),
      UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
      UInt8(ascii: "$"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
