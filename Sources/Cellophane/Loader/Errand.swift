/// What a byte loader is sent for: the bytes of a key, asked for with these fields, on these terms.
struct Errand: Sendable {
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
}

extension LoadError {
  /// Only caches were allowed to answer; `stored` is what they have, which must not be used.
  static func notCached(_ url: String, stored: StoredResponse?) -> LoadError {
    LoadError(
      .notCached,
      stored == nil
        ? "\(url) is not cached, and the request forbids asking the origin"
        : "\(url) is cached, but must not be used without asking the origin, which the request forbids")
  }
}
