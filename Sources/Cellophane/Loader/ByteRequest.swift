/// The resource that a byte loader requests: a cache key, the URL and header fields to send, and the terms for caches.
///
/// A class because it never changes and every step of a load refers to it.
final class ByteRequest: Sendable {
  /// The key under which caches store the response.
  let key: ResponseKey
  /// The URL to request. It may contain a signature that the key lacks; it never appears in keys, events or errors.
  let url: String
  /// The header fields to send.
  let headers: HeaderFields
  /// The value of `Accept` that the key lacks; nil for the transport's default.
  let accept: String?
  /// The header fields to send that the key lacks because the loader ignores them.
  let ignoredHeaders: HeaderFields
  /// The terms for caches.
  let terms: RequestTerms
  /// The key by which concurrent loads are coalesced.
  let flight: ByteLoader.FlightKey
  /// The maximum number of retries; nil for that of the loader.
  let retries: Int?
  /// The source of the bytes; nil for a URL that is asked of its origin.
  let source: RequestSource?

  init(_ request: Request<some Hashable & Sendable>, retries: Int? = nil) {
    self.retries = retries
    source = request.source
    key = request.key.response
    url = request.url
    terms = request.terms
    ignoredHeaders = request.ignoredHeaders
    accept = key.headers["accept"] == nil ? request.accept : nil
    flight = ByteLoader.FlightKey(
      response: key, unkeyedHeaders: request.unkeyedHeaders, policy: request.cachePolicy, accept: accept)
    var headers = key.headers
    if let accept { headers.append("accept", accept) }
    headers.append(request.ignoredHeaders)
    headers.append(request.unkeyedHeaders)
    // A reload also bypasses every cache between here and the origin.
    if request.cachePolicy == .reload, !CacheControl(headers).noCache {
      headers.append("cache-control", "no-cache")
    }
    self.headers = headers
  }

  private init(_ request: ByteRequest, key: ResponseKey, url: String, headers: HeaderFields) {
    (self.key, self.url, self.headers) = (key, url, headers)
    (terms, flight, accept) = (request.terms, request.flight, request.accept)
    (ignoredHeaders, retries, source) = (request.ignoredHeaders, request.retries, nil)
  }

  /// Returns the request to send after a redirect to `url`. Its response is stored as for any request with these
  /// header fields.
  ///
  /// Drops header fields that are bound to an origin when the redirect leads to another one. Keeps a secret scope, so
  /// that the response stays off disk: only this caller learned of the redirect's target.
  ///
  /// - Throws: ``LoadError`` when `url` is invalid.
  func redirected(to url: String, identity: URLIdentity?) throws(LoadError) -> ByteRequest {
    let (url, origin) = try CanonicalURL.parse(url)
    let isSame = origin == key.origin
    var scope = isSame ? key.scope : .anonymous
    if case .secret = key.scope { scope = key.scope }
    let key = ResponseKey(
      url: identity?.name(of: url, host: origin.host) ?? url, origin: origin,
      headers: isSame ? key.headers : key.headers.crossing(to: origin), scope: scope
    )
    return ByteRequest(self, key: key, url: url, headers: isSame ? headers : headers.crossing(to: origin))
  }

  /// Returns the same request with `cookies`, which redirects have set. Its response stays off disk, as for every request
  /// with a cookie.
  func with(cookies: String) -> ByteRequest {
    var headers = headers
    // The newer cookies first, because an origin reads the first one of a name.
    headers["cookie"] = ([cookies] + headers.values(of: "cookie")).joined(separator: "; ")
    let scope = AuthorizationScope.secret(Self.credentials(in: headers).sortedByName())
    let key = ResponseKey(url: key.url, origin: key.origin, headers: key.headers, scope: scope)
    return ByteRequest(self, key: key, url: url, headers: headers)
  }

  /// True for a local file, which has no second copy in the disk cache.
  var isFile: Bool { key.origin.scheme == "file" }

  /// True when caches may store its response, or a part of it.
  var isStorable: Bool { terms.mayStore && !isFile }

  /// The header fields that identify the caller.
  var credentials: HeaderFields { Self.credentials(in: headers) }

  private static func credentials(in headers: HeaderFields) -> HeaderFields {
    var credentials = HeaderFields()
    for field in headers.fields where HeaderFields.isCredential(field.name) {
      credentials.append(field.name, field.value)
    }
    return credentials
  }
}
