/// Details of a failed exchange.
public struct FailedExchange: Hashable, Sendable {
  /// A step of an exchange.
  public enum Stage: String, Sendable, CaseIterable {
    /// Resolving the host name.
    case dns
    /// Connecting to the host.
    case connect
    /// The TLS handshake.
    case tls
    /// Sending the request and receiving the response head.
    case http
    /// Receiving the response body.
    case body
  }

  /// The step that failed.
  public var stage: Stage
  /// The time spent on each step, including the failed step and earlier redirects.
  public var timings: TransferTimings
  /// The status code of the response; nil if no response started.
  public var status: Int?
  /// The `Content-Type` of the response.
  package var contentType: String?

  package init(stage: Stage, timings: TransferTimings, status: Int? = nil, contentType: String? = nil) {
    self.stage = stage
    self.timings = timings
    self.status = status
    self.contentType = contentType
  }
}
