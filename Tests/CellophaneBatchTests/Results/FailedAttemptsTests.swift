internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("Attempts of failed records")
struct FailedAttemptsTests {
  private func failed(_ error: LoadError, at stage: BatchStage, earlier: Int) -> BatchResult {
    var result = BatchResult(ListRecord(position: 0, line: 1, url: "http://h/1", otherFields: [], end: 0))
    result.fail(error, at: stage)
    result.add(attempts: earlier)
    return result
  }

  @Test func `the message counts the attempts of all loads, as tries does`() {
    let error = LoadError(.status, "h answered 503", isRetryable: true, status: 503)
    let once = failed(error, at: .http, earlier: 0)
    #expect(once.failure?.error.message == "h answered 503" && once.attempts == 1)
    let again = failed(error, at: .http, earlier: 8)
    #expect(again.failure?.error.message == "h answered 503 after 9 attempts" && again.attempts == 9)
  }

  @Test func `the message of an image that cannot be decoded has no attempts`() {
    let damaged = failed(LoadError(.corrupt, "the PNG is damaged"), at: .decode, earlier: 2)
    #expect(damaged.failure?.error.message == "the PNG is damaged" && damaged.attempts == 2)
  }
}
