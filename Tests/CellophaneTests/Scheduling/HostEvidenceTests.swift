@testable internal import Cellophane
internal import CellophaneCore
internal import TestSupport
internal import Testing

@Suite("The evidence that a failure concerns one resource or its whole host")
struct HostEvidenceTests {
  /// An event: an answer to a resource or its refusal, at a time in milliseconds. Requests take 10 ms.
  enum Event {
    case answer(Int, at: Int)
    case refusal(Int, at: Int)
  }

  /// A sequence of events, and whether its last refusal concerns the host.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let events: [Event]
    let isOfHost: Bool

    init(_ description: String, _ events: [Event], isOfHost: Bool) {
      (testDescription, self.events, self.isOfHost) = (description, events, isOfHost)
    }
  }

  static let rows = [
    Row("a refusal without an answer", [.refusal(1, at: 0)], isOfHost: true),
    Row("an answer just before", [.answer(2, at: 0), .refusal(1, at: 500)], isOfHost: false),
    Row("an answer long before", [.answer(2, at: 0), .refusal(1, at: 2_000)], isOfHost: true),
    Row(
      "the same resource twice", [.answer(2, at: 0), .refusal(1, at: 1), .refusal(1, at: 2)], isOfHost: false),
    Row(
      "two resources in a row", [.answer(2, at: 0), .refusal(1, at: 1), .refusal(3, at: 2)], isOfHost: true),
    Row(
      "an answer between two resources",
      [.answer(2, at: 0), .refusal(1, at: 1), .answer(2, at: 2), .refusal(3, at: 3)], isOfHost: false),
  ]

  @Test(arguments: rows) func `a refusal concerns the host or its resource`(row: Row) {
    var evidence = HostEvidence<Int>()
    var isOfHost: Bool?
    for event in row.events {
      switch event {
      case .answer(_, let time): evidence.answered(at: .milliseconds(time))
      case .refusal(let number, let time):
        isOfHost = evidence.refuses(number, begunAt: .milliseconds(time - 10))
      }
    }
    #expect(isOfHost == row.isOfHost)
  }

  @Test(arguments: [(-1_001, false), (-1_000, true), (0, true), (10_000, true)])
  func `an answer counts from a moment before a request on`(milliseconds: Int, counts: Bool) {
    var evidence = HostEvidence<Int>()
    #expect(!evidence.answers(since: .zero))
    evidence.answered(at: .milliseconds(milliseconds))
    #expect(evidence.answers(since: .zero) == counts)
  }

  @Test func `only an answer to another resource contradicts a single refusal`() {
    var evidence = HostEvidence<Int>()
    #expect(!evidence.isContradicted(byAnswerTo: 1))
    _ = evidence.refuses(1, begunAt: .zero)
    #expect(evidence.isContradicted(byAnswerTo: 2) && !evidence.isContradicted(byAnswerTo: 1))
    _ = evidence.refuses(2, begunAt: .zero)
    #expect(!evidence.isContradicted(byAnswerTo: 3))
  }

  @Test func `answers of others are expected for a moment after their requests`() {
    var evidence = HostEvidence<Int>()
    #expect(!evidence.awaitsOthers(than: 1, at: .zero))
    evidence.asks(1, at: .zero)
    #expect(!evidence.awaitsOthers(than: 1, at: .zero) && evidence.awaitsOthers(than: 2, at: .zero))
    evidence.asks(2, at: .milliseconds(500))
    evidence.asks(1, at: .milliseconds(900))
    #expect(evidence.awaitsOthers(than: 1, at: .milliseconds(1_400)))
    #expect(!evidence.awaitsOthers(than: 1, at: .milliseconds(1_500)))
  }
}
