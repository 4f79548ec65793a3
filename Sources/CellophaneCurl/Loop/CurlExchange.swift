/// An exchange in the loop, and its one result.
final class CurlExchange: Sendable {
  let request: TransportRequest
  /// The scheme and authority of its URL.
  let authority: String
  /// The destination of the response body.
  let body: StreamingBody
  /// The deadline of the whole exchange.
  let deadline: Duration
  let result = OneShot<Result<TransportResponse, LoadError>>()

  init(_ request: TransportRequest, deadline: Duration) {
    self.request = request
    authority = request.url.authority
    body = request.body.claim()
    self.deadline = deadline
  }

  /// Fails because the transport is closed, unless there is a result.
  func close() { result.settle(.failure(.closed)) }

  /// Fails with a cancellation at once, unless there is a result.
  func cancel() { result.settle(.failure(.cancelled)) }
}
