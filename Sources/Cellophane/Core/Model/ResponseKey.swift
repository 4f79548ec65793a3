/// What makes two requests the same bytes: URL without fragment, request headers, authorization scope.
///
/// Copies share one immutable object that carries its hash, so that keeping, passing and comparing a key
/// costs a reference count and, mostly, one pointer comparison.
public struct ResponseKey: Hashable, Sendable {
  private final class Storage: Sendable {
    let url: String
    let origin: Origin
    let headers: HeaderFields
    let scope: AuthorizationScope
    let hash: Int

    init(url: String, origin: Origin, headers: HeaderFields, scope: AuthorizationScope) {
      self.url = url
      self.origin = origin
      self.headers = headers
      self.scope = scope
      var hasher = Hasher()
      hasher.combine(url)
      hasher.combine(headers)
      hasher.combine(scope)
      hash = hasher.finalize()
    }
  }

  private let storage: Storage

  init(url: String, origin: Origin, headers: HeaderFields, scope: AuthorizationScope) {
    storage = Storage(url: url, origin: origin, headers: headers.sortedByName(), scope: scope)
  }

  /// The absolute URL in its canonical spelling, without a fragment.
  public var url: String { storage.url }
  /// Where the URL points.
  public var origin: Origin { storage.origin }
  /// The request headers, sorted by name; without credentials, which `scope` stands for.
  public var headers: HeaderFields { storage.headers }
  /// On whose behalf the bytes were asked for.
  public var scope: AuthorizationScope { storage.scope }

  var precomputedHash: Int { storage.hash }

  /// Equal when every part is equal.
  public static func == (a: ResponseKey, b: ResponseKey) -> Bool {
    if a.storage === b.storage { return true }
    return a.storage.hash == b.storage.hash && a.storage.url == b.storage.url
      && a.storage.headers == b.storage.headers && a.storage.scope == b.storage.scope
  }

  /// Feeds the hash that was computed once.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}

/// On whose behalf something is asked for. Answers to one scope are never given to another.
public enum AuthorizationScope: Hashable, Sendable {
  /// No credentials were sent.
  case anonymous
  /// Credentials that the caller gave a stable name, such as an account: the name survives a new token,
  /// and may be written to disk.
  case named(String)
  /// Credentials known only by their value. Kept in memory; never written to disk.
  case secret(HeaderFields)
}
