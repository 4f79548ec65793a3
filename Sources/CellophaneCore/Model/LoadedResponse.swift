/// The response from which a value was made, without its body. A value in memory keeps it.
public struct LoadedResponse: Sendable {
  // A class, so that a value in memory grows by one pointer only.
  private final class Storage: Sendable {
    let url: String
    let status: Int
    let headers: HeaderFields
    let requestedAt: Int64
    let redirectedUntil: Int64?
    let metrics: FetchMetrics?

    init(
      url: String, status: Int, headers: HeaderFields, requestedAt: Int64, redirectedUntil: Int64?,
      metrics: FetchMetrics?
    ) {
      (self.url, self.status, self.headers) = (url, status, headers)
      (self.requestedAt, self.redirectedUntil, self.metrics) = (requestedAt, redirectedUntil, metrics)
    }
  }

  private let storage: Storage

  /// Creates the response; `redirectedUntil` is the end of the freshness of the redirects to it, if they expire.
  package init(
    url: String, status: Int, headers: HeaderFields, requestedAt: Int64, redirectedUntil: Int64?,
    metrics: FetchMetrics?
  ) {
    storage = Storage(
      url: url, status: status, headers: headers, requestedAt: requestedAt, redirectedUntil: redirectedUntil,
      metrics: metrics)
  }

  /// The URL of the response, after redirects. It may contain a signature of the redirect.
  public var url: String { storage.url }
  /// The status code.
  public var status: Int { storage.status }
  /// The header fields, without those of the message: its connection, and the length and coding of the body.
  public var headers: HeaderFields { storage.headers }
  /// When the response was requested or last validated, in seconds since 1970.
  public var requestedAt: Int64 { storage.requestedAt }
  /// Until when the response and the redirects to it are fresh, in seconds since 1970. Not later than
  /// ``requestedAt`` when it must be validated before each use, or says nothing about its freshness.
  ///
  /// A value in memory may answer for longer: see the `reuse` of its loader.
  public var freshUntil: Int64 {
    let freshness = Freshness(status: status, headers: headers, storedAt: requestedAt)
    if freshness.requiresValidation || CacheControl(headers).noStore { return requestedAt }
    let until = requestedAt + freshness.remaining(at: requestedAt)
    return min(until, storage.redirectedUntil ?? .max)
  }
  /// The time and the attempts of the request that brought the response or validated it; nil if it came from disk
  /// without a request.
  public var metrics: FetchMetrics? { storage.metrics }

  /// The memory of the header fields and the URL in bytes.
  package var cost: Int {
    url.utf8.count + headers.byteCount + headers.count * MemoryLayout<HeaderFields.Field>.stride
  }
}

extension LoadedResponse: CustomStringConvertible {
  /// The status and the URL.
  public var description: String { "\(status) \(url)" }
}
