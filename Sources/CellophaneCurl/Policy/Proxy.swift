#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The proxy for requests to every origin. Its descriptions omit user name and password.
///
/// An HTTP proxy receives requests for `http` URLs, and for `https` origins a request for a tunnel, which
/// reveals only host and port. A SOCKS 5 proxy sets up connections.
public struct Proxy: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// No proxy, even if the environment names one.
  public static let direct = Proxy(url: "", address: "direct")

  /// The URL for libcurl; empty for ``direct``.
  let url: String
  private let address: String

  /// Returns ``direct`` if the environment names no proxy, so that libcurl need not read it for each request.
  /// Otherwise nil: libcurl then selects the proxy for each origin.
  static var inEnvironment: Proxy? {
    // The variables that libcurl reads (`CURLOPT_PROXY`). HTTP_PROXY is not among them, because a remote
    // client can set it in CGI programs.
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return names.contains { unsafe getenv($0) != nil } ? nil : .direct
  }

  private static let schemes = ["http", "https", "socks5", "socks5h"]

  private init(url: String, address: String) { (self.url, self.address) = (url, address) }

  /// Parses a proxy URL, `http://user:password@host:port`.
  ///
  /// The schemes are `http` (the default), `https`, which encrypts the connection to the proxy, `socks5`, and
  /// `socks5h`, which lets the proxy resolve names. Reserved characters in user name and password must be
  /// percent-encoded. The default port is 443 for `https` and otherwise 1080, as in libcurl. An empty text is
  /// ``direct``.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for an invalid URL; the message does not repeat it.
  public init(_ text: String) throws(LoadError) {
    if text.isEmpty {
      self = .direct
      return
    }
    let (scheme, rest) = Self.split(try Self.withASCIIHost(text))
    guard Self.schemes.contains(scheme) else {
      throw Self.invalid("its scheme is not one of " + Self.schemes.joined(separator: ", "))
    }
    let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
    let at = authority.lastIndex(of: "@")
    if let at, !Self.isUser(authority[..<at]) {
      throw Self.invalid("its user name or password has a character that must be percent-encoded")
    }
    let host = authority[(at.map(authority.index(after:)) ?? authority.startIndex)...]
    guard Self.isHost(host) else { throw Self.invalid("it has no valid host and port") }
    self.init(url: scheme + "://" + authority, address: scheme + "://" + host)
  }

  /// Scheme, host and port.
  public var description: String { address }

  /// The same text as ``description``, so that a dump of a configuration shows no password.
  public var customMirror: Mirror { Mirror(self, children: ["address": address]) }

  private static func invalid(_ reason: String) -> LoadError {
    LoadError(
      .invalidRequest, "the proxy URL is invalid: \(reason); write http://user:password@host:port")
  }

  /// Returns `text` with the ASCII form of its host.
  private static func withASCIIHost(_ text: String) throws(LoadError) -> String {
    let (scheme, rest) = split(text)
    let start = rest.lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex
    let host = rest[start...].prefix { $0 != ":" && $0 != "/" }
    guard host.utf8.contains(where: { $0 > 0x7F }) else { return text }
    guard let ascii = HostName.ascii(String(host)) else { throw invalid("it has no valid host and port") }
    return scheme + "://" + rest[..<start] + ascii + rest[host.endIndex...]
  }

  private static func split(_ text: String) -> (scheme: String, rest: Substring) {
    guard let mark = text.firstRange(of: "://") else { return ("http", text[...]) }
    return (text[..<mark.lowerBound].lowercased(), text[mark.upperBound...])
  }

  /// Returns whether `text` is a user name, optionally followed by a colon and a password, in the characters
  /// that a URL allows there (RFC 3986, section 3.2.1).
  private static func isUser(_ text: Substring) -> Bool {
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst(), let low = rest.popFirst(), high.isHexadecimal, low.isHexadecimal
        else {
          return false
        }
      case 0x21...0x7E: if "/?#@[]\\\"<>^`{|}".utf8.contains(byte) { return false }
      default: return false
      }
    }
    return true
  }

  private static func isHost(_ text: Substring) -> Bool {
    var host = text.utf8
    let isBracketed = host.first == UInt8(ascii: "[")
    let end =
      isBracketed
      ? host.lastIndex(of: UInt8(ascii: "]")).map(host.index(after:)) : host.firstIndex(of: UInt8(ascii: ":"))
    if let end, end != host.endIndex {
      guard host[end] == UInt8(ascii: ":"), let port = Int(digits: host[host.index(after: end)...]),
        (1...65_535).contains(port)
      else { return false }
      host = host[..<end]
    }
    if isBracketed {
      return end != nil && host.count > 2
        && host.dropFirst().dropLast().allSatisfy { $0.isHexadecimal || ":.".utf8.contains($0) }
    }
    return !host.isEmpty
      && host.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
