/// What a byte loader is sent for: the bytes of a key, asked for with these fields, on these terms.
///
/// A class, since it never changes and every step of a load has it.
final class Errand: Sendable {
  /// What the bytes are kept under.
  let key: ResponseKey
  /// What the origin is asked for. Not always the key's; never a part of it, of an event or of an error.
  let url: String
  /// What the origin is sent.
  let headers: HeaderFields
  /// What caches may do.
  let terms: RequestTerms
  /// Whose work it shares.
  let flight: ByteLoader.FlightKey

  init(_ request: Request<some Hashable & Sendable>) {
    key = request.key.response
    url = request.url
    terms = request.terms
    flight = ByteLoader.FlightKey(
      response: key, unkeyedHeaders: request.unkeyedHeaders, policy: request.cachePolicy)
    var headers = key.headers
    headers.append(request.unkeyedHeaders)
    // A reload goes past every cache on the way as well.
    if request.cachePolicy == .reload, !CacheControl(headers).noCache {
      headers.append("cache-control", "no-cache")
    }
    self.headers = headers
  }

  private init(_ errand: Errand, key: ResponseKey, url: String, headers: HeaderFields) {
    (self.key, self.url, self.headers) = (key, url, headers)
    (terms, flight) = (errand.terms, errand.flight)
  }

  /// The same errand at `url`, where a redirect leads: what is there is kept as what anybody would be given who asks
  /// there with these fields. What was meant for one origin does not come along to another; but what must not be
  /// on disk for its credentials is not on disk there either, because where it is was said to them alone.
  ///
  /// - Throws: ``LoadError`` for what is no URL.
  func led(to url: String, namedBy identity: URLIdentity?) throws(LoadError) -> Errand {
    let (url, origin) = try CanonicalURL.parse(url)
    let isSame = origin == key.origin
    var scope = isSame ? key.scope : .anonymous
    if case .secret = key.scope { scope = key.scope }
    let key = ResponseKey(
      url: identity?.name(of: url, host: origin.host) ?? url, origin: origin,
      headers: isSame ? key.headers : key.headers.crossing(to: origin), scope: scope
    )
    return Errand(self, key: key, url: url, headers: isSame ? headers : headers.crossing(to: origin))
  }
}

extension LoadError {
  /// Only caches were allowed to answer `errand`; `stored` is what they have, which must not be used.
  static func notCached(_ errand: Errand, named url: String, stored: StoredResponse?) -> LoadError {
    let why =
      if !errand.terms.mayUseStored {
        "may not be answered by a cache, nor by the origin: the request forbids both"
      } else if let stored {
        "is cached, but must not be used without asking the origin, which the request forbids"
          + (errand.terms.wouldTakeStale(stored.freshness)
            ? " (with 'Cache-Control: max-stale' it would take what is stale)" : "")
      } else {
        "is not cached, and the request forbids asking the origin"
      }
    return LoadError(.notCached, "\(url) \(why)")
  }
}
