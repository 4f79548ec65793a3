internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Testing

@testable internal import Cellophane
internal import TestSupport

@Suite("Exchanges over several event loops", .timeLimit(.minutes(1))) struct EventLoopTests {
  private static let sites = (0..<40).map { "http://host\($0).example" }

  @Test("a site stays at home until eight of its exchanges run; then whoever has the fewest helps")
  func spilling() {
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
    "when home is busy, who asks on the thread of a loop stays there, until it has many more than another")
  func stayingOnTheThread() {
    var selector = LoopSelector(loops: 3)
    let home = selector.assign("http://a", on: 0).loop
    for _ in 1..<LoopSelector.homeLimit { #expect(selector.assign("http://a", on: 1).loop == home) }
    let (first, second) = ((home + 1) % 3, (home + 2) % 3)
    for _ in 0...LoopSelector.slack { #expect(selector.assign("http://a", on: first).loop == first) }
    #expect(selector.assign("http://a", on: first).loop == second)
    // The one that has the fewest, not any that has fewer.
    for _ in 0..<3 { #expect(selector.assign("http://a", on: second).loop == second) }
    #expect(selector.running[first] == 5 && selector.running[second] == 4)
    #expect(selector.assign("http://a", on: home).loop == home)
    #expect(selector.assign("http://a", on: home).loop == second)
  }

  @Test("who is at home with one site keeps nobody of another away") func neighbours() throws {
    var selector = LoopSelector(loops: 2)
    let home = selector.assign(Self.sites[0]).loop
    let other = try #require(
      Self.sites.dropFirst().first { site in
        var fresh = LoopSelector(loops: 2)
        return fresh.assign(site).loop == home
      })
    for _ in 0..<LoopSelector.homeLimit { _ = selector.assign(Self.sites[0]) }
    #expect(selector.assign(other).loop == home)
  }

  @Test("sites are spread, come home again, and are forgotten", arguments: UInt64(1)...20)
  func balance(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var selector = LoopSelector(loops: 4)
    let homes = Self.sites.map { site in
      let assignment = selector.assign(site)
      selector.release(assignment)
      return assignment.loop
    }
    #expect(Set(homes).count > 1)
    var running: [LoopSelector.Assignment] = []
    for _ in 0..<2_000 {
      if running.isEmpty || (running.count < 200 && Bool.random(using: &random)) {
        let site = Self.sites[Int.random(in: 0..<Self.sites.count, using: &random) % 5]
        running.append(selector.assign(site))
      } else {
        selector.release(running.remove(at: Int.random(in: running.indices, using: &random)))
      }
      #expect(selector.running.reduce(0, +) == running.count && selector.authorities <= 5)
    }
    for assignment in running { selector.release(assignment) }
    #expect(selector.running == [0, 0, 0, 0] && selector.authorities == 0)
    #expect(Self.sites.map { selector.assign($0).loop } == homes)
  }

  private func transport(loops: Int, perHost: Int? = nil) -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.eventLoops = loops
    configuration.connectionsPerHost = perHost
    return CurlTransport(configuration)
  }

  @Test("one after the other, exchanges go over one connection") func reuse() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [7]) }
    defer { origin.stop() }
    let transport = transport(loops: 4)
    for index in 0..<20 { #expect(try await ask(transport, origin.url("/\(index)")).get().body == [7]) }
    #expect(origin.counters.connections == 1)
    await transport.close()
  }

  @Test("so they do for a task that comes to other threads between them") func reuseOnLoops() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [7]) }
    defer { origin.stop() }
    let transport = transport(loops: 4)
    for index in 0..<20 {
      // Each from elsewhere, so that each loop has its turn.
      let answer = await Task(executorPreference: transport.executor) {
        await ask(transport, origin.url("/\(index)"))
      }.value
      #expect(try answer.get().body == [7])
    }
    #expect(origin.counters.connections == 1)
    await transport.close()
  }

  @Test("many at once are answered, each with its own body")
  func spread() async throws {
    let origin = try TestOrigin { asked in
      OriginResponse(body: Array(asked.path.utf8))
    }
    defer { origin.stop() }
    let transport = transport(loops: 3)
    await withTaskGroup { group in
      for index in 0..<300 {
        group.addTask {
          let url = origin.url("/\(index)")
          return (try? await ask(transport, url).get().body) == Array("/\(index)".utf8)
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(origin.counters.requests == 300)
    await transport.close()
  }

  @Test("a limit of connections to a host holds, however many loops are asked for") func limits() async throws
  {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse(body: [1])
      answer.delay = .milliseconds(1)
      return answer
    }
    defer { origin.stop() }
    let transport = transport(loops: 3, perHost: 2)
    await withTaskGroup { group in
      for index in 0..<60 { group.addTask { await ask(transport, origin.url("/\(index)")) } }
      for await result in group { #expect((try? result.get())?.body == [1]) }
    }
    #expect(origin.counters.connections <= 2)
    await transport.close()
  }

  @Test("closing answers what runs in every loop, and what comes later") func closing() async throws {
    let origin = try TestOrigin { _ in
      var answer = OriginResponse()
      answer.ending = .silent
      return answer
    }
    defer { origin.stop() }
    let transport = transport(loops: 3)
    let tasks = (0..<30).map { index in Task { await ask(transport, origin.url("/\(index)")) } }
    _ = await origin.counters { $0.inFlight == 30 }
    await transport.close()
    for task in tasks {
      guard case .failure(let error) = await task.value else {
        Issue.record("an answer of nobody")
        continue
      }
      #expect(error.kind == .closed)
    }
    guard case .failure(let error) = await ask(transport, origin.url("/")) else {
      Issue.record("an answer of a closed transport")
      return
    }
    #expect(error.kind == .closed)
  }

  @Test("tasks run on the threads of the loops, and exchange on more than one") func tasks() async throws {
    let origin = try TestOrigin { asked in
      var answer = OriginResponse(body: Array(asked.path.utf8))
      answer.delay = .milliseconds(20)
      return answer
    }
    defer { origin.stop() }
    let transport = transport(loops: 3)
    let loops = await withTaskGroup { group in
      for index in 0..<200 {
        group.addTask(executorPreference: transport.executor) { () -> Int? in
          let path = "/\(index)"
          guard transport.loop != nil, let answer = try? await ask(transport, origin.url(path)).get(),
            answer.body == Array(path.utf8)
          else { return nil }
          return transport.loop
        }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(loops.count == 200 && !loops.contains(nil) && Set(loops).count > 1 && transport.loop == nil)
    await transport.close()
  }

  @Test("tasks of a transport that is closed, meanwhile or before, come to their end elsewhere")
  func tasksOfTheClosed() async throws {
    for round in 0..<20 {
      let transport = transport(loops: 2)
      if round % 2 == 0 { await transport.close() }
      let tasks = (0..<50).map { _ in
        Task(executorPreference: transport.executor) {
          for _ in 0..<20 { await Task.yield() }
          return await ask(transport, "http://127.0.0.1:1/")
        }
      }
      await transport.close()
      for task in tasks {
        guard case .failure(let error) = await task.value else {
          Issue.record("an answer of nobody")
          continue
        }
        #expect(error.kind == .closed || error.kind == .connect)
      }
    }
  }

  @Test("an answer that came while a task held the loop up is not late") func absence() async throws {
    let (isAsked, isHeldUp) = (OneShot<Void>(), OneShot<Void>())
    let (mayAnswer, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let origin = try TestOrigin { _ in
      isAsked.settle(())
      mayAnswer.wait()
      return OriginResponse(body: [7])
    }
    defer { origin.stop() }
    let clock = SteppingClock(step: .zero)
    let transport = CurlTransport(
      CurlTransport.Configuration(), AddressResolution(), timeline: Timeline(clock: clock, unixTime: { 0 }))
    let request = TransportRequest(url: origin.url("/"))
    let exchange = Task { try await transport.exchange(request) }
    await isAsked.value
    let holding = Task(executorPreference: transport.executor) {
      isHeldUp.settle(())
      block(until: mayGoOn)
    }
    await isHeldUp.value
    mayAnswer.signal()
    _ = await origin.counters { $0.completed == 1 }
    clock.advance(by: request.limits.total * 2)
    mayGoOn.signal()
    await holding.value
    #expect(try await exchange.value.body == [7])
    await transport.close()
  }
}

/// Holds the calling thread up.
private func block(until signal: DispatchSemaphore) { signal.wait() }

private func ask(_ transport: CurlTransport, _ url: String) async -> Result<TransportResponse, LoadError> {
  do { return .success(try await transport.exchange(TransportRequest(url: url))) } catch {
    return .failure(error)
  }
}

extension CurlTransport {
  /// The loop on whose thread the caller runs.
  fileprivate var loop: Int? { threads.firstIndex(where: \.isCurrent) }
}
