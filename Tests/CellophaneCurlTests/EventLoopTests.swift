internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Testing

@testable internal import CellophaneCurl
internal import TestSupport

@Suite("Exchanges over several event loops", .timeLimit(.minutes(1))) struct EventLoopTests {
  private static let authorities = (0..<40).map { "http://host\($0).example" }

  @Test("an authority keeps its home loop up to eight exchanges; the least busy loop takes further ones")
  func overflow() {
    var selector = LoopSelector(loops: 3)
    let home = selector.assign("http://a").loop
    for _ in 1..<LoopSelector.homeLimit { #expect(selector.assign("http://a").loop == home) }
    var taken = selector.running
    for _ in 0..<16 {
      let loop = selector.assign("http://a").loop
      #expect(taken[loop] == taken.min())
      taken[loop] += 1
    }
    #expect(taken == [8, 8, 8] && selector.running == taken)
  }

  @Test(
    "with a busy home, a caller on a loop keeps that loop until the slack is used up")
  func stayingOnTheThread() {
    var selector = LoopSelector(loops: 3)
    let home = selector.assign("http://a", on: 0).loop
    for _ in 1..<LoopSelector.homeLimit { #expect(selector.assign("http://a", on: 1).loop == home) }
    let (first, second) = ((home + 1) % 3, (home + 2) % 3)
    for _ in 0...LoopSelector.slack { #expect(selector.assign("http://a", on: first).loop == first) }
    #expect(selector.assign("http://a", on: first).loop == second)
    // The least busy loop, not any loop that is less busy.
    for _ in 0..<3 { #expect(selector.assign("http://a", on: second).loop == second) }
    #expect(selector.running[first] == 5 && selector.running[second] == 4)
    #expect(selector.assign("http://a", on: home).loop == home)
    #expect(selector.assign("http://a", on: home).loop == second)
  }

  @Test("a busy authority moves no other authority from its home loop") func otherAuthorities() throws {
    var selector = LoopSelector(loops: 2)
    let home = selector.assign(Self.authorities[0]).loop
    let other = try #require(
      Self.authorities.dropFirst().first { authority in
        var fresh = LoopSelector(loops: 2)
        return fresh.assign(authority).loop == home
      })
    for _ in 0..<LoopSelector.homeLimit { _ = selector.assign(Self.authorities[0]) }
    #expect(selector.assign(other).loop == home)
  }

  @Test(
    "authorities are spread over the loops, return to their home loop and are forgotten",
    arguments: UInt64(1)...20)
  func balance(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var selector = LoopSelector(loops: 4)
    let homes = Self.authorities.map { authority in
      let assignment = selector.assign(authority)
      selector.release(assignment)
      return assignment.loop
    }
    #expect(Set(homes).count > 1)
    var running: [LoopSelector.Assignment] = []
    for _ in 0..<2_000 {
      if running.isEmpty || (running.count < 200 && Bool.random(using: &random)) {
        let authority = Self.authorities[Int.random(in: 0..<Self.authorities.count, using: &random) % 5]
        running.append(selector.assign(authority))
      } else {
        selector.release(running.remove(at: Int.random(in: running.indices, using: &random)))
      }
      #expect(selector.running.reduce(0, +) == running.count && selector.authorities <= 5)
    }
    for assignment in running { selector.release(assignment) }
    #expect(selector.running == [0, 0, 0, 0] && selector.authorities == 0)
    #expect(Self.authorities.map { selector.assign($0).loop } == homes)
  }

  private func transport(loops: Int, perHost: Int? = nil) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.eventLoops = loops
    configuration.connectionsPerHost = perHost
    return CurlTransport(configuration)
  }

  @Test("consecutive exchanges use one connection") func reuse() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [7]) }
    defer { origin.stop() }
    let transport = transport(loops: 4)
    for index in 0..<20 {
      #expect(try await exchange(over: transport, origin.url("/\(index)")).get().body == [7])
    }
    #expect(origin.counters.connections == 1)
    await transport.close()
  }

  @Test("consecutive exchanges of tasks on different loops use one connection") func reuseOnLoops()
    async throws
  {
    let origin = try TestOrigin { _ in OriginResponse(body: [7]) }
    defer { origin.stop() }
    let transport = transport(loops: 4)
    for index in 0..<20 {
      // The executor starts each task on the next loop.
      let response = await Task(executorPreference: transport.executor) {
        await exchange(over: transport, origin.url("/\(index)"))
      }.value
      #expect(try response.get().body == [7])
    }
    #expect(origin.counters.connections == 1)
    await transport.close()
  }

  @Test("each of many concurrent exchanges receives its body")
  func concurrency() async throws {
    let origin = try TestOrigin { request in
      OriginResponse(body: Array(request.path.utf8))
    }
    defer { origin.stop() }
    let transport = transport(loops: 3)
    await withTaskGroup { group in
      for index in 0..<300 {
        group.addTask {
          let url = origin.url("/\(index)")
          return (try? await exchange(over: transport, url).get().body) == Array("/\(index)".utf8)
        }
      }
      for await isCorrect in group { #expect(isCorrect) }
    }
    #expect(origin.counters.requests == 300)
    await transport.close()
  }

  @Test("the limit of connections to a host applies to all loops together") func limits() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [1])
      response.delay = .milliseconds(1)
      return response
    }
    defer { origin.stop() }
    let transport = transport(loops: 3, perHost: 2)
    await withTaskGroup { group in
      for index in 0..<60 { group.addTask { await exchange(over: transport, origin.url("/\(index)")) } }
      for await result in group { #expect((try? result.get())?.body == [1]) }
    }
    #expect(origin.counters.connections <= 2)
    await transport.close()
  }

  @Test("closing the transport ends the exchanges of every loop and refuses later ones") func closing()
    async throws
  {
    let origin = try TestOrigin { _ in
      var response = OriginResponse()
      response.ending = .silent
      return response
    }
    defer { origin.stop() }
    let transport = transport(loops: 3)
    let tasks = (0..<30).map { index in Task { await exchange(over: transport, origin.url("/\(index)")) } }
    _ = await origin.counters { $0.inFlight == 30 }
    await transport.close()
    for task in tasks {
      guard case .failure(let error) = await task.value else {
        Issue.record("a response without an origin")
        continue
      }
      #expect(error.kind == .closed)
    }
    guard case .failure(let error) = await exchange(over: transport, origin.url("/")) else {
      Issue.record("a response from a closed transport")
      return
    }
    #expect(error.kind == .closed)
  }

  @Test("tasks run on the threads of several loops and exchange there") func tasks() async throws {
    let origin = try TestOrigin { request in
      var response = OriginResponse(body: Array(request.path.utf8))
      response.delay = .milliseconds(20)
      return response
    }
    defer { origin.stop() }
    let transport = transport(loops: 3)
    let loops = await withTaskGroup { group in
      for index in 0..<200 {
        group.addTask(executorPreference: transport.executor) { () -> Int? in
          let path = "/\(index)"
          guard transport.loop != nil,
            let response = try? await exchange(over: transport, origin.url(path)).get(),
            response.body == Array(path.utf8)
          else { return nil }
          return transport.loop
        }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(loops.count == 200 && !loops.contains(nil) && Set(loops).count > 1 && transport.loop == nil)
    await transport.close()
  }

  @Test("tasks of a closing or closed transport finish on another executor")
  func tasksAfterClosing() async throws {
    for round in 0..<20 {
      let transport = transport(loops: 2)
      if round % 2 == 0 { await transport.close() }
      let tasks = (0..<50).map { _ in
        Task(executorPreference: transport.executor) {
          for _ in 0..<20 { await Task.yield() }
          return await exchange(over: transport, "http://127.0.0.1:1/")
        }
      }
      await transport.close()
      for task in tasks {
        guard case .failure(let error) = await task.value else {
          Issue.record("a response without an origin")
          continue
        }
        #expect(error.kind == .closed || error.kind == .connect)
      }
    }
  }

  @Test("a response that arrived while a task blocked the loop is not late") func blockedLoop() async throws {
    let (hasRequest, isBlocked) = (OneShot<Void>(), OneShot<Void>())
    let (mayRespond, mayContinue) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let origin = try TestOrigin { _ in
      hasRequest.settle(())
      mayRespond.wait()
      return OriginResponse(body: [7])
    }
    defer { origin.stop() }
    let clock = SteppingClock(step: .zero)
    let transport = CurlTransport(
      CurlTransport.Configuration(), AddressResolution(), timeline: Timeline(clock: clock, unixTime: { 0 }))
    let request = TransportRequest(url: origin.url("/"))
    let task = Task { try await transport.exchange(request) }
    await hasRequest.value
    let blocking = Task(executorPreference: transport.executor) {
      isBlocked.settle(())
      block(until: mayContinue)
    }
    await isBlocked.value
    mayRespond.signal()
    _ = await origin.counters { $0.completed == 1 }
    clock.advance(by: request.limits.total * 2)
    mayContinue.signal()
    await blocking.value
    #expect(try await task.value.body == [7])
    await transport.close()
  }
}

/// Blocks the calling thread.
private func block(until signal: DispatchSemaphore) { signal.wait() }

private func exchange(
  over transport: CurlTransport, _ url: String
) async -> Result<TransportResponse, LoadError> {
  do { return .success(try await transport.exchange(TransportRequest(url: url))) } catch {
    return .failure(error)
  }
}

extension CurlTransport {
  /// The loop that runs on the calling thread; nil for other threads.
  fileprivate var loop: Int? { threads.firstIndex(where: \.isCurrent) }
}
