/// Which items of a URL's query do not count for what it names: a signature, its date, a token. URLs that differ in
/// them alone are one picture, in memory, while it loads and on disk; the origin is asked for the URL as it is.
///
/// What is cached was let in by one signature and is given to whoever asks this loader with another: the loader's
/// user decides who that is.
public struct QueryRule: Hashable, Sendable {
  /// The names of the items, as URLs write them. Case counts.
  public var ignored: Set<String>
  /// The host whose URLs are meant, without a port; nil for all.
  public var host: String?

  /// A rule for `host`, or for all hosts.
  public init(ignoring names: Set<String>, host: String? = nil) {
    ignored = names
    self.host = host
  }
}

/// What URLs name, by rules. Made once for a loader.
struct URLIdentity: Sendable {
  private var everywhere: Set<String> = []
  private var byHost: [String: Set<String>] = [:]

  /// Nil when no rule leaves anything out.
  init?(_ rules: [QueryRule]) {
    for rule in rules {
      if let host = rule.host {
        byHost[host.lowercased(), default: []].formUnion(rule.ignored)
      } else {
        everywhere.formUnion(rule.ignored)
      }
    }
    if everywhere.isEmpty, byHost.values.allSatisfy(\.isEmpty) { return nil }
  }

  /// The canonical `url` without what does not count; nil when all of it does. Linear in its length.
  func name(of url: String, host: String) -> String? {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    let ofHost = byHost[host] ?? []
    let items = url[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    let counting = items.filter { item in
      let name = String(item.prefix { $0 != "=" })
      return !everywhere.contains(name) && !ofHost.contains(name)
    }
    guard counting.count < items.count else { return nil }
    return url[..<mark] + (counting.isEmpty ? "" : "?" + counting.joined(separator: "&"))
  }
}

extension Request {
  /// The same request under the name that `identity` gives its URL.
  func named(by identity: URLIdentity) -> Self {
    let key = key.response
    guard signedURL == nil, let name = identity.name(of: key.url, host: key.origin.host) else { return self }
    let named = ResponseKey(url: name, origin: key.origin, headers: key.headers, scope: key.scope)
    return Self(key: ResourceKey(response: named, options: options), signedURL: key.url, of: self)
  }
}
