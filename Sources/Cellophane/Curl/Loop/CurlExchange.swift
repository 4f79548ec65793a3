/// One exchange on its way through the loop, and the one answer to it.
final class CurlExchange: Sendable {
  let request: TransportRequest
  /// The scheme, host and port of its URL.
  let site: String
  /// Where the answer's body goes.
  let body: StreamingBody
  /// When the whole exchange must be over.
  let deadline: Duration
  let answer = OneShot<Result<TransportResponse, LoadError>>()

  init(_ request: TransportRequest, deadline: Duration) {
    self.request = request
    site = request.url.site
    body = request.body.claim()
    self.deadline = deadline
  }

  /// Answers that the transport is closed, unless there was an answer.
  func close() { answer.settle(.failure(.closed)) }

  /// Answers the caller at once, unless that has happened.
  func abandon() { answer.settle(.failure(.cancelled)) }
}
