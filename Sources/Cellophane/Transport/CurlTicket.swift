internal import Synchronization

/// One exchange on its way through the loop, and the one answer to it.
final class CurlTicket: Sendable {
  let request: TransportRequest
  /// When the whole exchange must be over.
  let deadline: Duration
  let answer = OneShot<Result<TransportResponse, LoadError>>()
  private let abandoned = Atomic<Bool>(false)

  init(_ request: TransportRequest, deadline: Duration) {
    self.request = request
    self.deadline = deadline
  }

  /// True when the caller no longer waits.
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Answers the caller at once.
  func abandon() {
    abandoned.store(true, ordering: .releasing)
    answer.settle(.failure(.cancelled))
  }
}
