#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.URL
#else
  public import struct Foundation.URL
#endif

/// What is wanted: a URL, the headers that matter, how to decode the answer, how urgently, from which caches.
/// Its key is prepared when it is made, so that asking a cache with it costs no hashing.
public struct Request<Options: Hashable & Sendable>: Sendable {
  /// What makes two requests the same value.
  public let key: ResourceKey<Options>
  /// What is sent beside the fields of the key: credentials, of which the key holds only the scope, and
  /// `Cache-Control`, which tells caches what to do and not what is wanted.
  let unkeyedHeaders: HeaderFields
  /// What the origin is asked for, when the key's URL leaves out what does not count (``QueryRule``).
  let signedURL: String?
  /// How urgent it is.
  public var priority: Priority
  /// Which caches may answer.
  public var cachePolicy: CachePolicy
  /// The row of a list that it is for, if any: a hint for ``EvictionRule/farthestRow`` that changes nothing else.
  public var row: Int?

  /// The absolute URL in its canonical spelling, without a fragment.
  public var url: String { signedURL ?? key.response.url }
  /// How the answer is decoded.
  public var options: Options { key.options }

  /// A request for `url`.
  ///
  /// - Parameters:
  ///   - url: An absolute `http`, `https` or `file` URL; a fragment is dropped. No user or password.
  ///   - headers: Sent with the request. They count for the key, so that two requests which differ in one
  ///     never share bytes. `Authorization`, `Cookie`, `Proxy-` fields and those known to carry keys (`X-Api-Key` and
  ///     the like) become the authorization scope.
  ///     `Cache-Control` alone counts for nothing and is obeyed, here as on the way.
  ///   - account: A stable name for whom the credentials belong to. With it, answers may be kept on
  ///     disk and a renewed token still finds them; without it they stay in memory.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the reason.
  public init(
    _ url: String, headers: HeaderFields = [:], account: String? = nil, options: Options,
    priority: Priority = .normal, cachePolicy: CachePolicy = .standard
  ) throws(LoadError) {
    if let defect = headers.requestDefect { throw LoadError(.invalidRequest, defect) }
    let (url, origin) = try CanonicalURL.parse(url)
    var credentials = HeaderFields()
    var directives = HeaderFields()
    var others = HeaderFields()
    for field in headers.fields {
      if HeaderFields.isCredential(field.name) {
        credentials.append(field.name, field.value)
      } else if field.name == "cache-control" {
        directives.append(field.name, field.value)
      } else {
        let isURL = field.name == "referer"
        others.append(field.name, isURL ? CanonicalURL.referer(field.value) : field.value)
      }
    }
    let scope: AuthorizationScope =
      if let account {
        .named(account)
      } else if credentials.isEmpty {
        .anonymous
      } else {
        .secret(credentials.sortedByName())
      }
    key = ResourceKey(
      response: ResponseKey(url: url, origin: origin, headers: others, scope: scope), options: options)
    // RFC 9111, section 5.2.1.4: such a request must not be answered without asking the origin.
    let asksAnew = cachePolicy == .standard && CacheControl(directives).noCache
    credentials.append(directives)
    unkeyedHeaders = credentials
    signedURL = nil
    self.priority = priority
    self.cachePolicy = asksAnew ? .reload : cachePolicy
  }

  /// A request for `url`; see ``init(_:headers:account:options:priority:cachePolicy:)-(String,_,_,_,_,_)``.
  public init(
    _ url: URL, headers: HeaderFields = [:], account: String? = nil, options: Options,
    priority: Priority = .normal, cachePolicy: CachePolicy = .standard
  ) throws(LoadError) {
    try self.init(
      url.absoluteString, headers: headers, account: account, options: options, priority: priority,
      cachePolicy: cachePolicy)
  }

  /// The same request with another priority.
  public func with(priority: Priority) -> Self {
    var copy = self
    copy.priority = priority
    return copy
  }

  init(key: ResourceKey<Options>, signedURL: String?, of other: Request<some Hashable & Sendable>) {
    self.key = key
    self.signedURL = signedURL
    unkeyedHeaders = other.unkeyedHeaders
    priority = other.priority
    cachePolicy = other.cachePolicy
    row = other.row
  }

  /// The same bytes, decoded another way: another size of a picture, or the picture's raw bytes.
  public func decoded<Other>(with options: Other) -> Request<Other> {
    Request<Other>(
      key: ResourceKey(response: key.response, options: options), signedURL: signedURL, of: self)
  }
}
