#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The canonical form of absolute URLs, which keys use.
package enum CanonicalURL {
  /// The longest accepted URL in bytes. 64 KB: servers stop at 8 to 32 KB, so that longer URLs are attacks or
  /// errors.
  package static let longest = 64 << 10

  /// Returns the URL with lower-case scheme and host, without a default port and a fragment, and with `/` for
  /// an empty path (RFC 3986, section 6.2), and its origin.
  package static func parse(_ text: String) throws(LoadError) -> (url: String, origin: Origin) {
    guard text.utf8.count <= longest else {
      throw LoadError(.invalidRequest, "the URL is longer than \(longest) bytes")
    }
    if let origin = originOfPlain(text) { return (text, origin) }
    return try parseAny(text)
  }

  /// Parses any URL that is not too long, without the fast path.
  static func parseAny(_ text: String) throws(LoadError) -> (url: String, origin: Origin) {
    guard let parts = URLComponents(string: encoded(try withASCIIHost(text))),
      let scheme = parts.scheme?.lowercased()
    else {
      throw LoadError(
        .invalidRequest, "not an absolute URL: '\(shown(text))'; write http://host/path", detail: .relativeURL
      )
    }
    guard parts.user == nil, parts.password == nil else {
      throw LoadError(
        .invalidRequest, "the URL contains a user name or password; send an Authorization header instead")
    }
    let path = parts.percentEncodedPath
    let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
    switch scheme {
    case "http", "https":
      guard let host = parts.encodedHost?.lowercased(), !host.isEmpty else {
        throw LoadError(
          .invalidRequest, "the URL has no host: '\(shown(text))'; write \(scheme)://host/path")
      }
      guard parts.host?.isHost(isAddress: host.hasPrefix("[")) ?? false else { throw invalidHost }
      let port = parts.port ?? Origin.defaultPort(of: scheme)
      guard (1...65_535).contains(port) else {
        throw LoadError(.invalidRequest, "the URL's port must be from 1 to 65535: '\(shown(text))'")
      }
      let origin = Origin(scheme: scheme, host: host, port: port)
      return (origin.description + (path.isEmpty ? "/" : path) + query, origin)
    case "file":
      // RFC 8089, section 2: this host is the same as none.
      guard ["", "localhost"].contains(parts.host?.lowercased() ?? ""), path.hasPrefix("/") else {
        throw LoadError(.invalidRequest, "not a valid file URL: '\(shown(text))'; write file:///path")
      }
      return ("file://" + path, Origin(scheme: scheme, host: "", port: 0))
    default:
      throw LoadError(
        .invalidRequest, "unsupported scheme '\(shown(scheme))'; use http, https or file",
        detail: .otherScheme)
    }
  }

  private static let invalidHost = LoadError(
    .invalidRequest, "the URL's host has an invalid character; correct the host name")

  /// Returns `text` with the ASCII form of its host. A host may have other characters, as they are or percent-encoded
  /// (RFC 3986, section 3.2.2).
  private static func withASCIIHost(_ text: String) throws(LoadError) -> String {
    let start = text.startOfAuthority
    let authority = text[start...].utf8.prefix { !$0.endsAuthority }
    // A user name is refused anyway, and must not be in an error.
    guard start > text.startIndex, !authority.contains(UInt8(ascii: "@")),
      authority.contains(where: { $0 > 0x7F || $0 == UInt8(ascii: "%") })
    else { return text }
    let colon = authority.lastIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    let port = text[colon..<authority.endIndex]
    guard port.utf8.dropFirst().allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let host = String(validating: text[start..<colon].utf8.percentDecoded, as: UTF8.self),
      host.utf8.contains(where: { $0 > 0x7F })
    else { return text }
    guard let ascii = HostName.ascii(host) else { throw invalidHost }
    return text[..<start] + ascii + text[colon...]
  }

  /// Returns `text` without its fragment, with the characters that no path and no query may contain
  /// percent-encoded (RFC 3986, section 2.1).
  ///
  /// `URLComponents` cannot do this: if one such character is present, it encodes existing percent-encodings
  /// again.
  private static func encoded(_ text: String) -> String {
    let authority = text.utf8[text.startOfAuthority...]
    guard let start = authority.firstIndex(where: \.endsAuthority) else { return text }
    let rest = text.utf8[start...].prefix { $0 != UInt8(ascii: "#") }
    guard rest.indices.contains(where: { !rest[$0...].startsWithURLCharacter }) else { return text }
    var encoded = String(text[..<start])
    for index in rest.indices {
      guard !rest[index...].startsWithURLCharacter else {
        encoded.unicodeScalars.append(UnicodeScalar(rest[index]))
        continue
      }
      let digits = String(rest[index], radix: 16, uppercase: true)
      encoded += (digits.utf8.count == 1 ? "%0" : "%") + digits
    }
    return encoded
  }

  /// Returns the start of `text` for an error message. 200 characters fit on one or two terminal lines.
  private static func shown(_ text: String) -> String {
    let text = withoutUser(text)
    return text.count <= 200 ? text : text.prefix(200) + "…"
  }

  /// Returns the part of an unusable URL that may be shown: without any text that may be a user name and
  /// password.
  ///
  /// That is the text between the scheme and the last `@`, even if it is encoded several times, and an
  /// authority whose colon is followed by more than a port.
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

  /// Returns the URL `text` without user, password and fragment, which a `Referer` must not contain (RFC
  /// 9110, section 10.1.3).
  static func referer(_ text: String) -> String {
    let text = String(text.prefix { $0 != "#" })
    let start = text.hasPrefix("//") ? text.utf8.index(text.startIndex, offsetBy: 2) : text.startOfAuthority
    let authority = text.utf8[start...].prefix { !"/?#\\".utf8.contains($0) }
    guard start > text.startIndex, let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return text }
    return String(text[..<start] + text[text.utf8.index(after: at)...])
  }
}

// These members work on bytes because every record of a list is parsed here.
extension String {
  /// The index after `scheme://`; the start index if there is no scheme.
  fileprivate var startOfAuthority: Index {
    let scheme = utf8.prefix { !$0.endsAuthority && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "@") }
    let mark = "://".utf8
    guard !scheme.isEmpty, utf8[scheme.endIndex...].starts(with: mark) else { return startIndex }
    return utf8.index(scheme.endIndex, offsetBy: mark.count)
  }

  /// The index of the last `@`: as is, in the full-width and small forms that host names are mapped from (UTS
  /// 46), or percent-encoded once or several times.
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

  /// Returns whether this decoded text may be a host name (WHATWG URL, "forbidden domain code point"), or an
  /// address if it was in brackets. Other text may be an encoded user name and password.
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
  /// Whether the authority of a URL ends before this byte (RFC 3986, section 3.2).
  fileprivate var endsAuthority: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }
}

extension Substring.UTF8View {
  /// The bytes with each percent-encoding replaced by its byte.
  var percentDecoded: [UInt8] {
    var (bytes, rest) = ([UInt8](), self)
    while let byte = rest.first {
      rest = rest.dropFirst()
      let digits = rest.prefix(2)
      guard byte == UInt8(ascii: "%"),
        digits.count(where: { UnicodeScalar($0).properties.isASCIIHexDigit }) == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Whether the first byte may occur in a path or a query (RFC 3986, sections 3.3 and 3.4). A percent sign
  /// must be followed by two hexadecimal digits.
  fileprivate var startsWithURLCharacter: Bool {
    guard let byte = first else { return false }
    return switch byte {
    // The range from & to : contains digits and allowed punctuation.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "&")...UInt8(ascii: ":"):
      true
    case UInt8(ascii: "%"):
      prefix(3).dropFirst().count(where: { UnicodeScalar($0).properties.isASCIIHexDigit }) == 2
    default: "_~!$=;?@".utf8.contains(byte)
    }
  }
}
