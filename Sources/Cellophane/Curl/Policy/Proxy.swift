#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Whom to go through to every origin. Its user name and password are in no text of it.
///
/// A proxy of HTTP is asked for `http` URLs themselves, and for a tunnel to `https` origins, with which it does not get to
/// see more than their names. One of SOCKS 5 makes connections.
public struct Proxy: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Nobody, whatever the environment says.
  public static let direct = Proxy(url: "", place: "direct")

  /// For libcurl; empty for nobody.
  let url: String
  private let place: String

  /// ``direct`` when the environment names no proxy, so that libcurl need not look there for each request; otherwise nil,
  /// and it is libcurl's to find the one for an origin.
  static var inEnvironment: Proxy? {
    // Where libcurl looks (`CURLOPT_PROXY`); not in HTTP_PROXY, which a stranger can set where a server runs programs.
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return names.contains { unsafe getenv($0) != nil } ? nil : .direct
  }

  private static let schemes = ["http", "https", "socks5", "socks5h"]

  private init(url: String, place: String) { (self.url, self.place) = (url, place) }

  /// The proxy at `text`, `http://user:password@host:port`: the schemes are `http` (also when there is none), `https`,
  /// which encrypts the way to it, `socks5`, and `socks5h`, which looks names up itself; what stands for itself in a user
  /// name or password is written in percent signs. Without a port it is 443 for `https` and 1080, as libcurl has it.
  /// Empty is ``direct``.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for what is none; the sentence does not repeat it.
  public init(_ text: String) throws(LoadError) {
    if text.isEmpty {
      self = .direct
      return
    }
    let (scheme, rest) = Self.split(text)
    guard Self.schemes.contains(scheme) else {
      throw Self.invalid("its scheme is none of " + Self.schemes.joined(separator: ", "))
    }
    let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
    let at = authority.lastIndex(of: "@")
    if let at, !Self.isUser(authority[..<at]) {
      throw Self.invalid("its user name or password has a character that must be written in percent signs")
    }
    let host = authority[(at.map(authority.index(after:)) ?? authority.startIndex)...]
    guard Self.isHost(host) else { throw Self.invalid("it has no usable host and port") }
    self.init(url: scheme + "://" + authority, place: scheme + "://" + host)
  }

  /// Scheme, host and port.
  public var description: String { place }

  /// The same: a dump of a configuration tells no more than it prints.
  public var customMirror: Mirror { Mirror(self, children: ["place": place]) }

  private static func invalid(_ reason: String) -> LoadError {
    LoadError(
      .invalidRequest, "the proxy's URL cannot be used: \(reason); write http://user:password@host:port")
  }

  private static func split(_ text: String) -> (scheme: String, rest: Substring) {
    guard let mark = text.firstRange(of: "://") else { return ("http", text[...]) }
    return (text[..<mark.lowerBound].lowercased(), text[mark.upperBound...])
  }

  /// Whether `text` is a user name, and a password behind a colon, in characters that a URL has there (RFC 3986, section
  /// 3.2.1).
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
