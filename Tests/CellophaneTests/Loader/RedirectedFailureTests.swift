@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Failures of a redirect's target count for its origin, in virtual time")
struct RedirectedFailureTests {
  private static let other = Origin(scheme: "http", host: "other", port: 80)

  private static func answer(_ status: Int, _ headers: HeaderFields = [:]) -> ScriptedTransport.Answer {
    let hop = TransportResponse.Redirect(status: 302, headers: ["Location": "http://other/"])
    return .init(
      after: .milliseconds(10),
      .success(TransportResponse(status: status, headers: headers, url: "http://other/", redirects: [hop])),
      redirect: other)
  }

  private static func failure(_ kind: LoadError.Kind) -> ScriptedTransport.Answer {
    .init(
      after: .milliseconds(10), .failure(LoadError(kind, "x", isRetryable: true)), redirect: other)
  }

  @Test(
    "a failure of the target opens the circuit of its origin only",
    arguments: [answer(503, ["Retry-After": "30"]), answer(429), failure(.connect), failure(.dns)])
  func otherCircuit(target: ScriptedTransport.Answer) async {
    let world = RetryTests.World { _, request in
      request.number == 0 ? target : .init(after: .milliseconds(10), request.success())
    }
    let opened = Shared<Set<Origin>>([])
    world.timeline.spawn {
      for await event in world.bytes.events.events() {
        if case .circuitOpened(let origin, _, _) = event.kind { opened.update { $0.insert(origin) } }
      }
    }
    let results = world.run(Array(0..<40))
    #expect(throws: LoadError.self) { try results[0].get() }
    #expect(results.dropFirst().allSatisfy { (try? $0.get()) != nil })
    #expect(
      world.seen.filter { $0.url != "http://origin/0" }.allSatisfy { $0.time < .milliseconds(200) })
    #expect(opened.value == [Self.other])
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test(
    "a failing origin receives as few requests through redirects as directly",
    arguments: [(answer(503), 2), (answer(429), 0)])
  func storm(target: ScriptedTransport.Answer, beforeOpening: Int) async {
    let world = RetryTests.World { _, _ in target }
    let requests = Shared(0)
    world.timeline.spawn {
      for await event in world.bytes.events.events() {
        if case .transferFailed(_, let error, _) = event.kind, error.kind == .status {
          requests.update { $0 += 1 }
        }
      }
    }
    let results = world.run(Array(0..<200))
    #expect(results.count == 200 && results.allSatisfy { (try? $0.get()) == nil })
    // At most four concurrent requests, two before a third 503 opens the circuit, and three half-open probes.
    #expect((2...4 + beforeOpening + 3).contains(requests.value))
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("a Retry-After of the target is not stored for the URL that redirects")
  func retryAfterOfTarget() {
    let world = RetryTests.World { number, request in
      number == 1 ? Self.answer(503, ["Retry-After": "3600"]) : .init(request.success())
    }
    #expect(throws: LoadError.self) { try world.run([1])[0].get() }
    #expect(throws: Never.self) { try world.run([1])[0].get() }
  }
}
