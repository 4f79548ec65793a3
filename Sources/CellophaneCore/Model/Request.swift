#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.URL
#else
  public import struct Foundation.URL
#endif

/// A URL with its headers, decoding options, priority and cache policy. The key is computed once, so a cache
/// lookup needs no hashing.
public struct Request<Options: Hashable & Sendable>: Hashable, Sendable {
  /// The key of the decoded value.
  public let key: ResourceKey<Options>
  /// Fields that are sent but are not part of the key: credentials, which the key represents by a scope, and
  /// `Cache-Control`, which addresses caches and does not identify the resource.
  package let unkeyedHeaders: HeaderFields
  /// Fields that are sent but are not part of the key, because the loader ignores them.
  package let ignoredHeaders: HeaderFields
  /// The URL to request from the origin, if the key's URL omits ignored query items (``QueryRule``).
  let signedURL: String?
  /// The source of the bytes; nil for a URL that is asked of its origin.
  package let source: RequestSource?
  /// The urgency of the load.
  public var priority: Priority
  /// The caches that may answer.
  public var cachePolicy: CachePolicy
  /// The value of `Accept` to send if ``key`` has none. Not part of the key: a stored response that depends on it
  /// says so (`Vary`).
  package var accept: String?
  /// The time within which a load of this request must end, counted from its start; nil for the loader's default.
  ///
  /// It includes the time in queues, between attempts, in transfer and in decoding. Then the load fails with
  /// ``LoadError/Kind/timeout``; other callers that wait for the same value keep their load.
  public var deadline: Duration?
  /// The row of a list that the request belongs to, if any. A hint for ``EvictionRule/farthestRow`` without
  /// other effects.
  public var row: Int?

  /// The absolute URL in canonical form, without its fragment.
  public var url: String { signedURL ?? key.response.url }
  /// The options of the decoder.
  public var options: Options { key.options }

  /// Creates a request for `url`.
  ///
  /// - Parameters:
  ///   - url: An absolute `http`, `https` or `file` URL without user and password, or a `data` URL. A fragment is removed.
  ///   - headers: Header fields to send. They are part of the key: requests that differ in a field never share a
  ///     response. `Authorization`, `Cookie`, `Proxy-` fields and others that carry credentials (such as `X-Api-Key`)
  ///     become the authorization scope. `Cache-Control` is not part of the key; this loader and caches on the
  ///     path to the origin obey it.
  ///   - account: A stable name for the owner of the credentials. With it, responses may be stored on disk and are
  ///     found again after the token changes. Without it, they stay in memory.
  ///   - deadline: See ``deadline``.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the reason.
  public init(
    _ url: String, headers: HeaderFields = [:], account: String? = nil, options: Options,
    priority: Priority = .normal, cachePolicy: CachePolicy = .standard, deadline: Duration? = nil
  ) throws(LoadError) {
    if let defect = headers.requestDefect { throw LoadError(.invalidRequest, defect) }
    if DataURL.matches(url) {
      let (type, bytes) = try DataURL.parse(url)
      self.init(
        url: DataURL.name(of: bytes, type), scheme: "data",
        source: RequestSource(type: type) { () throws(LoadError) in bytes }, options: options,
        priority: priority,
        deadline: deadline)
      self.cachePolicy = cachePolicy
    } else {
      try self.init(
        ofOrigin: url, headers, account, options, priority: priority, cachePolicy: cachePolicy,
        deadline: deadline)
    }
  }

  private init(
    ofOrigin url: String, _ headers: HeaderFields, _ account: String?, _ options: Options, priority: Priority,
    cachePolicy: CachePolicy, deadline: Duration?
  ) throws(LoadError) {
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
    // RFC 9111, section 5.2.1.4: a cache must not answer such a request without validation.
    let requiresReload = cachePolicy == .standard && CacheControl(directives).noCache
    credentials.append(directives)
    unkeyedHeaders = credentials
    ignoredHeaders = HeaderFields()
    (signedURL, source) = (nil, nil)
    self.priority = priority
    self.cachePolicy = requiresReload ? .reload : cachePolicy
    self.deadline = deadline
  }

  /// Creates a request for `url`; see
  /// ``init(_:headers:account:options:priority:cachePolicy:deadline:)-(String,_,_,_,_,_,_)``.
  public init(
    _ url: URL, headers: HeaderFields = [:], account: String? = nil, options: Options,
    priority: Priority = .normal, cachePolicy: CachePolicy = .standard, deadline: Duration? = nil
  ) throws(LoadError) {
    try self.init(
      url.absoluteString, headers: headers, account: account, options: options, priority: priority,
      cachePolicy: cachePolicy, deadline: deadline)
  }

  /// Creates a request for the resource of `source`, which `url` identifies.
  init(
    url: String, scheme: String, source: RequestSource, options: Options, priority: Priority,
    deadline: Duration?
  ) {
    key = ResourceKey(
      response: ResponseKey(
        url: url, origin: Origin(scheme: scheme, host: "", port: 0), headers: [:], scope: .anonymous),
      options: options)
    (unkeyedHeaders, ignoredHeaders, signedURL) = (HeaderFields(), HeaderFields(), nil)
    (self.source, self.priority, self.deadline) = (source, priority, deadline)
    cachePolicy = .standard
  }

  /// Returns the same request with another priority.
  public func with(priority: Priority) -> Self {
    var copy = self
    copy.priority = priority
    return copy
  }

  package init(
    key: ResourceKey<Options>, signedURL: String?, ignoring ignoredHeaders: HeaderFields,
    of other: Request<some Hashable & Sendable>
  ) {
    self.key = key
    self.signedURL = signedURL
    self.ignoredHeaders = ignoredHeaders
    source = other.source
    unkeyedHeaders = other.unkeyedHeaders
    priority = other.priority
    cachePolicy = other.cachePolicy
    row = other.row
    deadline = other.deadline
    accept = other.accept
  }

  /// Returns a request for the same response with other decoding options, such as another image size or the
  /// raw bytes.
  public func decoded<Other>(with options: Other) -> Request<Other> {
    Request<Other>(
      key: ResourceKey(response: key.response, options: options), signedURL: signedURL,
      ignoring: ignoredHeaders, of: self)
  }
}
