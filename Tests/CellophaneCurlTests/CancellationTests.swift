internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import Cellophane
internal import TestSupport

@Suite(.timeLimit(.minutes(1))) struct TransportCancellationTests {
  private func outcome(
    of request: TransportRequest, over transport: CurlTransport
  ) async -> Result<TransportResponse, LoadError> {
    do { return .success(try await transport.exchange(request)) } catch { return .failure(error) }
  }

  @Test(arguments: [OriginResponse.Ending.silent, .hung(after: 500)])
  func cancellingClosesTheConnection(ending: OriginResponse.Ending) async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [UInt8](repeating: 1, count: 1000))
      answer.ending = ending
      return answer
    }
    defer { origin.stop() }
    let transport = CurlTransport()
    let task = Task { await outcome(of: TransportRequest(url: origin.url("/")), over: transport) }
    _ = await origin.counters { $0.inFlight == 1 }
    task.cancel()
    #expect(await task.value.failure == .cancelled)
    let counters = await origin.counters { $0.openConnections == 0 }
    #expect(counters.aborted == 1)
    #expect(counters.completed == 0)
  }

  @Test func anExchangeOfACancelledTaskDoesNotReachTheOrigin() async throws {
    let origin = try TestOrigin { _ in OriginResponse() }
    defer { origin.stop() }
    let transport = CurlTransport()
    let gate = OneShot<Void>()
    let task = Task {
      await gate.value
      return await outcome(of: TransportRequest(url: origin.url("/")), over: transport)
    }
    task.cancel()
    gate.settle(())
    #expect(await task.value.failure == .cancelled)
    await transport.close()
    #expect(origin.counters.requests == 0)
  }

  /// The same URL asked for again in the instant of its cancellation is answered, and the origin never
  /// serves it to two clients at once.
  @Test func askingAgainRightAfterCancelling() async throws {
    let origin = try TestOrigin { asked in
      var answer = OriginResponse(body: [1, 2, 3])
      if asked.sequence % 2 == 1 { answer.ending = .silent }
      return answer
    }
    defer { origin.stop() }
    let transport = CurlTransport()
    for round in 0..<50 {
      let task = Task { await outcome(of: TransportRequest(url: origin.url("/")), over: transport) }
      _ = await origin.counters { $0.requests == 2 * round + 1 }
      task.cancel()
      let again = try await transport.exchange(TransportRequest(url: origin.url("/")))
      #expect(again.body == [1, 2, 3])
      #expect(await task.value.failure == .cancelled)
    }
    #expect(origin.counters.duplicatesInFlight == 0)
  }

  @Test func closingAnswersWhatRuns() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse()
      answer.ending = .silent
      return answer
    }
    defer { origin.stop() }
    let transport = CurlTransport()
    let tasks = (0..<8).map { index in
      Task { await outcome(of: TransportRequest(url: origin.url("/\(index)")), over: transport) }
    }
    _ = await origin.counters { $0.inFlight == 8 }
    await transport.close()
    for task in tasks { #expect(await task.value.failure == .closed) }
    #expect(await origin.counters { $0.openConnections == 0 }.aborted == 8)
    let late = await outcome(of: TransportRequest(url: origin.url("/")), over: transport)
    #expect(late.failure == .closed)
    await transport.close()
  }

  @Test func aTransportThatWasNeverUsedCloses() async {
    await CurlTransport().close()
  }

  /// Runs in a process of its own, so that its descriptors and threads can be counted.
  @Test func randomCancellationLeavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      // The pool's threads and the library's own descriptors exist before counting begins.
      await churn(seed: 1, exchanges: 64)
      await churn(seed: 1, exchanges: 64, loops: 3)
      let before = ProcessUsage.now
      for seed in UInt64(2)...7 {
        await churn(seed: seed, exchanges: 250, loops: Int(seed % 3) + 1, onLoops: seed > 4)
      }
      let after = ProcessUsage.settled
      precondition(after == before, "\(before) before, \(after) after")
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// Many exchanges with one transport of so many event loops, a third of them cancelled before, during or after; `onLoops`
/// by tasks that run on these loops.
private func churn(seed: UInt64, exchanges: Int, loops: Int = 1, onLoops: Bool = false) async {
  guard
    let origin = try? TestOrigin(handler: { asked in
      var answer = OriginResponse(body: [UInt8](repeating: 1, count: asked.sequence * 7919 % 60_000))
      if asked.sequence % 5 == 0 { answer.delay = .microseconds(300) }
      if asked.sequence % 7 == 0 {
        answer.pace = OriginResponse.Pace(bytes: 20_000, every: .microseconds(200))
      }
      return answer
    })
  else { preconditionFailure("no origin") }
  var configuration = CurlTransport.Configuration()
  configuration.eventLoops = loops
  let transport = CurlTransport(configuration)
  let executor = onLoops ? transport.executor : nil
  let answered = await withTaskGroup(of: Int.self) { group in
    var state = seed
    for index in 0..<exchanges {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let patience = state >> 60
      let start = OneShot<Void>()
      group.addTask(executorPreference: executor) {
        let exchange = Task(executorPreference: executor) {
          start.settle(())
          do {
            let response = try await transport.exchange(TransportRequest(url: origin.url("/\(index)")))
            precondition(response.status == 200)
          } catch {
            let isOurs = error as? LoadError == .cancelled
            precondition(isOurs && patience < 5, "seed \(seed), exchange \(index): \(error)")
          }
        }
        if patience == 0 { exchange.cancel() }
        await start.value
        if patience < 5 {
          for _ in 0..<patience * 40 { await Task.yield() }
          exchange.cancel()
        }
        await exchange.value
        return 1
      }
    }
    return await group.reduce(0, +)
  }
  precondition(answered == exchanges, "seed \(seed): \(answered) of \(exchanges) answered")
  await transport.close()
  _ = await origin.counters { $0.openConnections == 0 && $0.inFlight == 0 }
  origin.stop()
}
