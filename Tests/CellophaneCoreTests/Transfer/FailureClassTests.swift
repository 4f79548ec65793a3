@testable internal import CellophaneCore
internal import Testing

@Suite("Failure class")
struct FailureClassTests {
  @Test(
    "Retry-After is read as seconds or as a date",
    arguments: [
      ("0", 0), ("120", 120), ("99999999999999999999", 1 << 31), ("-1", nil), ("1.5", nil), ("soon", nil),
      ("", nil), ("Fri, 15 Jan 2027 08:00:30 GMT", 30), ("Fri, 15 Jan 2027 07:59:00 GMT", 0),
      ("Friday, 15-Jan-27 08:01:00 GMT", 60), ("Fri, 31 Dec 9999 23:59:59 GMT", 1 << 31),
    ] as [(String, Int?)])
  func retryAfter(text: String, seconds: Int?) {
    let delay = RetryAfter.delay(["Retry-After": text], now: 1_800_000_000)
    #expect(delay == seconds.map { .seconds($0) })
  }

  @Test(
    "each status has its failure scope and is transient or not",
    arguments: [
      (200, .none, false), (206, .none, false), (301, .none, false), (400, .none, false), (401, .none, false),
      (404, .none, false), (408, .resource, true), (410, .none, false), (425, .none, false),
      (429, .origin, true), (500, .resource, true), (502, .resource, true), (503, .origin, true),
      (504, .resource, true), (599, .resource, true),
    ] as [(Int, FailureClass.Scope, Bool)])
  func statuses(status: Int, scope: FailureClass.Scope, isTransient: Bool) {
    let error = LoadError(.status, "x", status: status)
    let failure = FailureClass(error, head: TransportResponse(status: status, url: ""), now: 0)
    #expect(failure.scope == scope && failure.isTransient == isTransient)
  }

  @Test("a single 429, failed connection or 503 with Retry-After opens the circuit")
  func certain() {
    func opensCircuit(_ status: Int, _ headers: HeaderFields = [:]) -> Bool {
      let head = TransportResponse(status: status, headers: headers, body: [], url: "")
      return FailureClass(LoadError(.status, "x", status: status), head: head, now: 0).opensCircuit
    }
    #expect(opensCircuit(429) && opensCircuit(503, ["Retry-After": "5"]))
    #expect(!opensCircuit(503) && !opensCircuit(500) && !opensCircuit(404))
    #expect(FailureClass(LoadError(.connect, "x", isRetryable: true), head: nil, now: 0).opensCircuit)
  }

  @Test(
    "each error kind: without a head, after a head, and after a head with a resumable body",
    arguments: LoadError.Kind.allCases.filter { $0 != .status })
  func kinds(kind: LoadError.Kind) {
    let error = LoadError(kind, "x", isRetryable: true)
    let head = TransportResponse(status: 200, url: "")
    let isTransient = [
      FailureClass(error, head: nil, now: 0), FailureClass(error, head: head, now: 0),
      FailureClass(error, head: head, isResumable: true, now: 0),
    ].map(\.isTransient)
    let scope = FailureClass(error, head: nil, now: 0).scope
    switch kind {
    case .connect, .dns: #expect(isTransient == [true, true, true] && scope == .origin)
    case .connectionLost: #expect(isTransient == [true, false, true] && scope == .resource)
    case .timeout: #expect(isTransient == [false, false, false] && scope == .resource)
    case .cancelled, .closed, .io: #expect(isTransient == [false, false, false] && scope == .unknown)
    default: #expect(isTransient == [false, false, false] && scope == .none)
    }
  }

  @Test("a host name that does not exist is not a transient failure")
  func lasting() {
    #expect(!FailureClass(LoadError(.dns, "x", isRetryable: false), head: nil, now: 0).isTransient)
  }
}
