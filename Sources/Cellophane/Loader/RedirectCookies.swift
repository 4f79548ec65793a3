/// The cookies that the redirects of one load have set (RFC 6265). They exist only as long as the load.
///
/// Some origins set a cookie, redirect, and expect it with the next request. A cookie is sent only to the scheme, host and
/// port that set it, as credentials are; a `Domain` does not extend that.
struct RedirectCookies: Sendable {
  private struct Cookie: Sendable {
    let name: String
    /// The name and the value, as they are sent.
    let pair: String
    let origin: Origin
    let path: String
  }

  private var cookies: [Cookie] = []

  /// The maximum number of cookies and the maximum length of one in bytes. RFC 6265, section 6.1, names them as what
  /// clients support at least.
  private static let (maxCount, maxLength) = (50, 4_096)

  /// Stores the cookies that the response to `url` at `origin` sets in `headers`, and removes expired cookies.
  mutating func take(_ headers: HeaderFields, from url: String, at origin: Origin, now: Int64) {
    for field in headers.values(of: "set-cookie") where field.utf8.count <= Self.maxLength {
      let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { $0.pair }
      guard let (name, value) = parts.first, let value, !name.isEmpty,
        !field.utf8.contains(where: HeaderFields.isControl)
      else { continue }
      // The last attribute of a name counts.
      let attributes = Dictionary(
        parts.dropFirst().map { ($0.name.lowercased(), $0.value ?? "") }, uniquingKeysWith: { $1 })
      if attributes["secure"] != nil, origin.scheme != "https" { continue }
      if let domain = attributes["domain"], !origin.host.isWithin(domain) { continue }
      let path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? url.path.folder
      cookies.removeAll { ($0.name, $0.origin, $0.path) == (name, origin, path) }
      guard !Self.isExpired(attributes, now: now), cookies.count < Self.maxCount else { continue }
      cookies.append(Cookie(name: name, pair: name + "=" + value, origin: origin, path: path))
    }
  }

  /// Returns the value of `Cookie` for a request of `url` at `origin`; nil without a cookie for it.
  func field(for url: String, at origin: Origin) -> String? {
    if cookies.isEmpty { return nil }
    let path = url.path
    let sent = cookies.filter { $0.origin == origin && path.isWithin(path: $0.path) }
    // Longer paths first (section 5.4).
    let ordered = sent.enumerated().sorted {
      ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
    }
    return sent.isEmpty ? nil : ordered.map(\.element.pair).joined(separator: "; ")
  }

  private static func isExpired(_ attributes: [String: String], now: Int64) -> Bool {
    if let text = attributes["max-age"] {
      if text.hasPrefix("-"), Int(digits: text.utf8.dropFirst()) != nil { return true }
      if let age = Int(digits: text.utf8) { return age == 0 }
    }
    // Many origins write dates with hyphens.
    return attributes["expires"].flatMap { HTTPDate.parse($0.replacing("-", with: " "), now: now) }.map {
      $0 <= now
    } ?? false
  }
}

extension Substring {
  /// The texts around the first `=`, without surrounding blanks; a nil value without `=`.
  fileprivate var pair: (name: String, value: String?) {
    let sign = firstIndex(of: "=") ?? endIndex
    let value = sign == endIndex ? nil : String(self[index(after: sign)...].trimmed)
    return (String(self[..<sign].trimmed), value)
  }

  private var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
  }
}

extension String {
  /// The path of this canonical URL.
  fileprivate var path: String {
    let rest = self[(utf8.firstIndex(of: UInt8(ascii: ":")) ?? startIndex)...].dropFirst("://".count)
    return String(rest.drop { $0 != "/" }.prefix { $0 != "?" })
  }

  /// The path of the folder that contains the file with this path (RFC 6265, section 5.1.4).
  fileprivate var folder: String {
    let folder = self[..<(lastIndex(of: "/") ?? startIndex)]
    return folder.isEmpty ? "/" : String(folder)
  }

  /// Returns whether a request of this path has the cookies of `path`.
  fileprivate func isWithin(path: String) -> Bool {
    self == path || hasPrefix(path) && (path.hasSuffix("/") || dropFirst(path.count).hasPrefix("/"))
  }

  /// Returns whether this host is `domain` or below it (RFC 6265, section 5.1.3).
  fileprivate func isWithin(_ domain: String) -> Bool {
    let domain = domain.drop { $0 == "." }.lowercased()
    return domain.isEmpty || self == domain || hasSuffix("." + domain)
  }
}
