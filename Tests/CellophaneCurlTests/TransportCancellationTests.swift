internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneCurl
internal import TestSupport

@Suite(.timeLimit(.minutes(1))) struct TransportCancellationTests {
  private func outcome(
    of request: TransportRequest, over transport: CurlTransport
  ) async -> Result<TransportResponse, LoadError> {
    do { return .success(try await transport.exchange(request)) } catch { return .failure(error) }
  }

  @Test(arguments: [OriginResponse.Ending.silent, .hung(after: 500)])
  func `a cancelled request closes its connection`(ending: OriginResponse.Ending) async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [UInt8](repeating: 1, count: 1000))
      response.ending = ending
      return response
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

  @Test func `a request of a cancelled task does not reach the origin`() async throws {
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

  /// The origin never handles two requests for the URL at the same time.
  @Test func `a request succeeds right after another one for its URL was cancelled`() async throws {
    let origin = try TestOrigin { request in
      var response = OriginResponse(body: [1, 2, 3])
      if request.sequence % 2 == 1 { response.ending = .silent }
      return response
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

  @Test func `closing the transport ends running requests and refuses later ones`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse()
      response.ending = .silent
      return response
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

  @Test func `an unused transport closes`() async {
    await CurlTransport().close()
  }

  /// Runs in a separate process, so that the test can count descriptors and threads.
  @Test("random cancellation leaks no descriptors and no threads") func randomCancellation() async {
    await #expect(processExitsWith: .success) {
      // Creates the threads of the pool and the descriptors of the library before the test counts them.
      await exchangeAndCancel(seed: 1, exchanges: 64)
      await exchangeAndCancel(seed: 1, exchanges: 64, loops: 3)
      let before = ProcessUsage.now
      for seed in UInt64(2)...7 {
        await exchangeAndCancel(seed: seed, exchanges: 250, loops: Int(seed % 3) + 1, onLoops: seed > 4)
      }
      let after = ProcessUsage.settled
      precondition(after == before, "\(before) before, \(after) after")
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// Runs `exchanges` exchanges over a transport with `loops` event loops, and cancels a third of them before, during or
/// after. With `onLoops`, their tasks run on the threads of the loops.
private func exchangeAndCancel(seed: UInt64, exchanges: Int, loops: Int = 1, onLoops: Bool = false) async {
  guard
    let origin = try? TestOrigin(handler: { request in
      var response = OriginResponse(body: [UInt8](repeating: 1, count: request.sequence * 7919 % 60_000))
      if request.sequence % 5 == 0 { response.delay = .microseconds(300) }
      if request.sequence % 7 == 0 {
        response.pace = OriginResponse.Pace(bytes: 20_000, every: .microseconds(200))
      }
      return response
    })
  else { preconditionFailure("no origin") }
  var configuration = CurlTransport.Configuration()
  configuration.eventLoops = loops
  let transport = CurlTransport(configuration)
  let executor = onLoops ? transport.executor : nil
  let finished = await withTaskGroup(of: Int.self) { group in
    var state = seed
    for index in 0..<exchanges {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Below 5, the exchange is cancelled after this delay.
      let delay = state >> 60
      let start = OneShot<Void>()
      group.addTask(executorPreference: executor) {
        let exchange = Task(executorPreference: executor) {
          start.settle(())
          do {
            let response = try await transport.exchange(TransportRequest(url: origin.url("/\(index)")))
            precondition(response.status == 200)
          } catch {
            let isCancelled = error as? LoadError == .cancelled
            precondition(isCancelled && delay < 5, "seed \(seed), exchange \(index): \(error)")
          }
        }
        if delay == 0 { exchange.cancel() }
        await start.value
        if delay < 5 {
          for _ in 0..<delay * 40 { await Task.yield() }
          exchange.cancel()
        }
        await exchange.value
        return 1
      }
    }
    return await group.reduce(0, +)
  }
  precondition(finished == exchanges, "seed \(seed): \(finished) of \(exchanges) finished")
  await transport.close()
  _ = await origin.counters { $0.openConnections == 0 && $0.inFlight == 0 }
  origin.stop()
}
