/// The query items that do not identify a resource, such as a signature, its date or a token.
///
/// URLs that differ only in these items share one resource in memory, on disk and while it loads. Requests to
/// the origin use the complete URL.
///
/// A cached response was authorized by one signature and is given to every request of this loader with
/// another signature. The user of the loader is responsible for this.
public struct QueryRule: Hashable, Sendable {
  /// The names of the items, as written in URLs; case-sensitive.
  package var ignored: Set<String>
  /// The host that the rule applies to, without a port; nil for all hosts.
  package var host: String?

  /// Creates a rule for `host`, or for all hosts.
  public init(ignoring names: Set<String>, host: String? = nil) {
    ignored = names
    self.host = host
  }
}

/// The identity of URLs under a loader's rules. Created once per loader.
package struct URLIdentity: Sendable {
  private var everywhere: Set<String> = []
  private var byHost: [String: Set<String>] = [:]

  /// Creates the identity; nil if no rule ignores any item.
  package init?(_ rules: [QueryRule]) {
    for rule in rules {
      if let host = rule.host {
        byHost[HostName.ascii(host) ?? host.lowercased(), default: []].formUnion(rule.ignored)
      } else {
        everywhere.formUnion(rule.ignored)
      }
    }
    if everywhere.isEmpty, byHost.values.allSatisfy(\.isEmpty) { return nil }
  }

  /// Returns the canonical `url` without ignored items; nil if nothing is ignored. Linear in its length.
  package func name(of url: String, host: String) -> String? {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    let hostItems = byHost[host] ?? []
    let items = url[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    let significant = items.filter { item in
      let name = String(item.prefix { $0 != "=" })
      return !everywhere.contains(name) && !hostItems.contains(name)
    }
    guard significant.count < items.count else { return nil }
    return url[..<mark] + (significant.isEmpty ? "" : "?" + significant.joined(separator: "&"))
  }
}

extension Request {
  /// Returns the request with the URL that `identity` assigns to its resource as the key.
  package func named(by identity: URLIdentity) -> Self {
    let key = key.response
    guard signedURL == nil, source == nil, let name = identity.name(of: key.url, host: key.origin.host) else {
      return self
    }
    let named = ResponseKey(url: name, origin: key.origin, headers: key.headers, scope: key.scope)
    return Self(
      key: ResourceKey(response: named, options: options), signedURL: key.url, ignoring: ignoredHeaders,
      of: self)
  }

  /// Returns the request with a key without the header fields called `names`, which are in lower case.
  package func ignoring(_ names: Set<String>) -> Self {
    let key = key.response
    guard !names.isEmpty, key.headers.fields.contains(where: { names.contains($0.name) }) else { return self }
    var (kept, ignored) = (HeaderFields(), ignoredHeaders)
    for field in key.headers.fields {
      if names.contains(field.name) { ignored.append(field) } else { kept.append(field) }
    }
    let plain = ResponseKey(url: key.url, origin: key.origin, headers: kept, scope: key.scope)
    return Self(
      key: ResourceKey(response: plain, options: options), signedURL: signedURL, ignoring: ignored, of: self)
  }
}
