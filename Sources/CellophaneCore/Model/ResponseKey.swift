/// The key of a response: the URL without its fragment, the request headers and the authorization scope.
/// Requests with equal keys have the same response.
///
/// Copies share one immutable object that carries its hash. Storing, passing and comparing a key therefore
/// costs a reference count and usually one pointer comparison.
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

  package init(url: String, origin: Origin, headers: HeaderFields, scope: AuthorizationScope) {
    storage = Storage(url: url, origin: origin, headers: headers.sortedByName(), scope: scope)
  }

  /// The absolute URL in canonical form, without its fragment.
  public var url: String { storage.url }
  /// The origin of the URL.
  public var origin: Origin { storage.origin }
  /// The request headers, sorted by name. Credentials are not among them; `scope` represents them.
  package var headers: HeaderFields { storage.headers }
  /// The user or account that the response belongs to.
  package var scope: AuthorizationScope { storage.scope }

  var precomputedHash: Int { storage.hash }

  /// Returns whether all parts are equal.
  public static func == (a: ResponseKey, b: ResponseKey) -> Bool {
    if a.storage === b.storage { return true }
    return a.storage.hash == b.storage.hash && a.storage.url == b.storage.url
      && a.storage.headers == b.storage.headers && a.storage.scope == b.storage.scope
  }

  /// Feeds the precomputed hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}

/// The user or account for which a request is made. A response for one scope is never given to another.
package enum AuthorizationScope: Hashable, Sendable {
  /// No credentials were sent.
  case anonymous
  /// Credentials with a stable name from the caller, such as an account. The name stays valid when the token
  /// changes, and may be written to disk.
  case named(String)
  /// Credentials identified only by their value. They are kept in memory and never written to disk.
  case secret(HeaderFields)
}
