#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Brings an absolute URL into the one spelling that keys use.
package enum CanonicalURL {
  /// The longest URL accepted. 64 KB: servers stop at 8 to 32 KB; beyond lies only hostile input.
  package static let longest = 64 << 10

  /// The URL with lower-case scheme and host, no default port, no fragment, and `/` for an empty path
  /// (RFC 3986, section 6.2), with its origin.
  package static func parse(_ text: String) throws(LoadError) -> (url: String, origin: Origin) {
    guard text.utf8.count <= longest else {
      throw LoadError(.invalidRequest, "the URL is longer than \(longest) bytes")
    }
    if let origin = originOfPlain(text) { return (text, origin) }
    return try parseAny(text)
  }

  /// The same of a URL that is not too long, however it is written.
  static func parseAny(_ text: String) throws(LoadError) -> (url: String, origin: Origin) {
    guard let parts = URLComponents(string: encoded(text)), let scheme = parts.scheme?.lowercased() else {
      throw LoadError(.invalidRequest, "not an absolute URL: '\(shown(text))'; write http://host/path")
    }
    guard parts.user == nil, parts.password == nil else {
      throw LoadError(
        .invalidRequest, "the URL holds a user name or password; send an Authorization header instead")
    }
    let path = parts.percentEncodedPath
    let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
    switch scheme {
    case "http", "https":
      guard let host = parts.encodedHost?.lowercased(), !host.isEmpty else {
        throw LoadError(.invalidRequest, "the URL has no host: '\(shown(text))'")
      }
      guard parts.host?.isHost(isAddress: host.hasPrefix("[")) ?? false else {
        throw LoadError(.invalidRequest, "the URL's host has a character that no host has")
      }
      let port = parts.port ?? Origin.defaultPort(of: scheme)
      guard (1...65_535).contains(port) else {
        throw LoadError(.invalidRequest, "the URL's port is not in 1...65535: '\(shown(text))'")
      }
      let origin = Origin(scheme: scheme, host: host, port: port)
      return (origin.description + (path.isEmpty ? "/" : path) + query, origin)
    case "file":
      guard parts.host ?? "" == "", path.hasPrefix("/") else {
        throw LoadError(.invalidRequest, "a file URL is written file:///path: '\(shown(text))'")
      }
      return ("file://" + path, Origin(scheme: scheme, host: "", port: 0))
    default:
      throw LoadError(.invalidRequest, "the scheme '\(shown(scheme))' is not http, https or file")
    }
  }

  /// `text` with what no path and no query may hold percent-encoded, and nothing else (RFC 3986, section 2.1):
  /// `URLComponents` encodes what is encoded already once more as soon as one such character stands beside it. Without
  /// its fragment.
  private static func encoded(_ text: String) -> String {
    let authority = text.utf8[text.startOfAuthority...]
    guard let start = authority.firstIndex(where: \.endsAuthority) else { return text }
    let rest = text.utf8[start...].prefix { $0 != UInt8(ascii: "#") }
    guard rest.indices.contains(where: { !rest[$0...].beginsAsOfURL }) else { return text }
    var encoded = String(text[..<start])
    for index in rest.indices {
      guard !rest[index...].beginsAsOfURL else {
        encoded.unicodeScalars.append(UnicodeScalar(rest[index]))
        continue
      }
      let digits = String(rest[index], radix: 16, uppercase: true)
      encoded += (digits.utf8.count == 1 ? "%0" : "%") + digits
    }
    return encoded
  }

  /// Enough of `text` to recognise it; 200 characters keep an error on one screen line or two.
  private static func shown(_ text: String) -> String {
    let text = withoutUser(text)
    return text.count <= 200 ? text : text.prefix(200) + "…"
  }

  /// What may be shown of a URL that cannot be used: without anything that may have been meant for a user name
  /// and password. That is whatever stands between the scheme and the last `@`, however often that was encoded; and an
  /// authority with more than a port behind its colon.
  package static func withoutUser(_ text: String) -> String {
    let start = text.startOfAuthority
    if let at = text.lastAtSign { return (at < start ? "" : text[..<start]) + "…" + text[at...] }
    let authority = text.utf8[start...].prefix { !"/?#\\".utf8.contains($0) }
    guard start > text.startIndex, let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      authority[colon...].dropFirst().contains(where: {
        !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      })
    else { return text }
    return text[..<start] + "…" + text[authority.endIndex...]
  }

  /// The URL `text` without a user name, a password and a fragment, which no `Referer` has (RFC 9110, section 10.1.3).
  static func referer(_ text: String) -> String {
    let text = String(text.prefix { $0 != "#" })
    let start = text.hasPrefix("//") ? text.utf8.index(text.startIndex, offsetBy: 2) : text.startOfAuthority
    let authority = text.utf8[start...].prefix { !"/?#\\".utf8.contains($0) }
    guard start > text.startIndex, let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return text }
    return String(text[..<start] + text[text.utf8.index(after: at)...])
  }
}

// Byte by byte, because every line of a list of anything comes here.
extension String {
  /// What is behind `scheme://`; the beginning when it does not begin so.
  fileprivate var startOfAuthority: Index {
    let scheme = utf8.prefix { !$0.endsAuthority && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "@") }
    let mark = "://".utf8
    guard !scheme.isEmpty, utf8[scheme.endIndex...].starts(with: mark) else { return startIndex }
    return utf8.index(scheme.endIndex, offsetBy: mark.count)
  }

  /// Where the last `@` is: as it is, in the wider forms that host names are mapped from (UTS 46), or encoded, once
  /// or several times.
  fileprivate var lastAtSign: Index? {
    utf8.indices.reversed().first { index in
      switch utf8[index] {
      case UInt8(ascii: "@"): true
      case UInt8(ascii: "%"): utf8[index...].starts(with: "%40".utf8)
      case UInt8(ascii: "2"): utf8[index...].starts(with: "2540".utf8)
      case 0xEF: ["\u{FF20}", "\u{FE6B}"].contains { utf8[index...].starts(with: $0.utf8) }
      default: false
      }
    }
  }

  /// Whether this, decoded, may be a host's name (WHATWG URL, "forbidden domain code point"), or an address if it stood
  /// in brackets. What may not may be an encoded user name and password.
  fileprivate func isHost(isAddress: Bool) -> Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "#", "/", "<", ">", "?", "@", "\\", "^", "|", "\u{7F}", "\u{FF20}", "\u{FE6B}": false
      case "%", ":", "[", "]": isAddress
      default: scalar.value > 0x20
      }
    }
  }
}

extension UInt8 {
  /// Whether the authority of a URL ends before it (RFC 3986, section 3.2).
  fileprivate var endsAuthority: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }
}

extension Substring.UTF8View {
  /// Whether its first byte may stand in a path or a query (RFC 3986, sections 3.3 and 3.4), a percent sign before two
  /// hexadecimal digits.
  fileprivate var beginsAsOfURL: Bool {
    guard let byte = first else { return false }
    return switch byte {
    // From & to : are the digits and marks that may.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "&")...UInt8(ascii: ":"):
      true
    case UInt8(ascii: "%"):
      prefix(3).dropFirst().count(where: { UnicodeScalar($0).properties.isASCIIHexDigit }) == 2
    default: "_~!$=;?@".utf8.contains(byte)
    }
  }
}
