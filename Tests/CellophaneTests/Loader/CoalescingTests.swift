@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Coalescing, in virtual time")
struct CoalescingTests {
  @Test("10 000 callers of one URL share one transfer and one decoding, and get one result each")
  func tenThousandCallers() async {
    let world = NumberWorld()
    let results = Shared(0)
    for _ in 0..<10_000 {
      world.timeline.spawn {
        let value = try? await world.loader.load(NumberRequest(7)).value
        #expect(value == 7)
        results.update { $0 += 1 }
      }
    }
    world.time.run()
    #expect(results.value == 10_000)
    #expect(world.bytes.events.counters.transfers == 1 && world.bytes.events.counters.decodes == 1)
    #expect(world.bytes.events.counters.joined == 9_999)
    #expect(world.time.run { await world.isIdle() } == true)
  }

  @Test("two sizes and the raw bytes of one URL share one transfer, with one decoding per size")
  func twoSizes() {
    let world = NumberWorld()
    let values = world.time.run {
      async let one = world.loader.load(NumberRequest(7, times: 1))
      async let two = world.loader.load(NumberRequest(7, times: 2))
      async let raw = world.bytes.load(NumberRequest(7).decoded(with: "raw"))
      return (try? await one.value, try? await two.value, try? await raw.bytes)
    }
    #expect(values ?? (nil, nil, nil) == (7, 14, Array("7".utf8)))
    #expect(world.origin.counters.started == 1 && world.bytes.events.counters.decodes == 2)
  }

  @Test("all waiters get the same failure, which is not cached")
  func failure() {
    let fails = Shared(true)
    let world = NumberWorld { request in
      fails.value
        ? .init(after: .milliseconds(5), .failure(LoadError(.connect, "no way", isRetryable: true)))
        : .init(request.success())
    }
    let observers = [FetchObserver(), FetchObserver()]
    let errors = world.time.run {
      async let a = world.loader.load(NumberRequest(1), observer: observers[0])
      async let b = world.loader.load(NumberRequest(1), observer: observers[1])
      var errors: [LoadError] = []
      do { _ = try await a } catch let error as LoadError { errors.append(error) } catch {}
      do { _ = try await b } catch let error as LoadError { errors.append(error) } catch {}
      return errors
    }
    let expected = LoadError(.connect, "no way", isRetryable: true)
    #expect(errors == [expected, expected] && world.origin.counters.started == 3)
    // The waiters share the attempts as well.
    #expect(observers.map { $0.failure?.attempts } == [3, 3])
    fails.value = false
    #expect(world.time.run { try? await world.loader.load(NumberRequest(1)).value } == 1)
  }

  @Test(
    "a status other than success is a typed error",
    arguments: [(404, false), (429, true), (503, true), (206, false)])
  func statuses(status: Int, isRetryable: Bool) {
    let world = NumberWorld { .init(.success(TransportResponse(status: status, url: $0.url))) }
    let error = world.time.run { () -> LoadError? in
      do throws(LoadError) {
        _ = try await world.loader.load(NumberRequest(1))
        return nil
      } catch { return error }
    }
    #expect(error??.kind == (status == 206 ? .malformedResponse : .status))
    #expect(error??.isRetryable == isRetryable)
  }

  @Test("each cancelled waiter returns at once; the last one cancels the transfer and frees its slot")
  func lastWaiter() {
    var configuration = ByteLoader.Configuration()
    configuration.transfers = 1
    configuration.transfersPerOrigin = 1
    configuration.reservedForVisible = 0
    let world = NumberWorld(configuration: configuration) { .init(after: .seconds(10), $0.success()) }
    let drawing = TimeDrawing(
      world.timeline, step: .seconds(1), rows: "first", "second", "third", "next", "origin")
    drawing.drawTransfers(of: world.bytes, in: "origin")
    let ends = Shared<[Duration]>([])
    let tasks = ["first", "second", "third"].map { caller in
      world.timeline.spawn {
        drawing.mark(caller, "<")
        do throws(LoadError) { _ = try await world.loader.load(NumberRequest(1)) } catch {
          #expect(error == .cancelled)
          drawing.mark(caller, "x")
          ends.update { $0.append(world.timeline.now) }
        }
      }
    }
    let next = Shared<Duration?>(nil)
    world.timeline.spawn {
      for task in tasks {
        try? await world.timeline.sleep(for: .seconds(1))
        #expect(world.origin.counters.cancelled == 0)
        task.cancel()
      }
      drawing.mark("next", "<")
      _ = try? await world.loader.load(NumberRequest(2))
      drawing.mark("next", ">")
      next.value = world.timeline.now
    }
    world.time.run()
    #expect(
      drawing.text == """
        first   <x
        second  <-x
        third   <--x
        next    ---<---------->
        origin  [--x[---------]
        """)
    #expect(ends.value == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(world.origin.counters.cancelled == 1 && world.bytes.events.counters.aborted == 1)
    #expect(next.value == .seconds(13))
    #expect(world.time.run { await world.isIdle() } == true)
  }

  @Test("a load that begins at the instant of the last waiter's cancellation succeeds")
  func sameInstant() {
    let world = NumberWorld()
    let value = world.time.run {
      let first = world.timeline.spawn { _ = try? await world.loader.load(NumberRequest(1)) }
      try? await world.timeline.sleep(for: .milliseconds(5))
      first.cancel()
      return try? await world.loader.load(NumberRequest(1)).value
    }
    #expect(value == 1)
  }

  @Test("an urgent waiter raises the priority of queued work, and its cancellation lowers it")
  func raising() {
    var configuration = ByteLoader.Configuration()
    configuration.transfers = 1
    configuration.transfersPerOrigin = 1
    configuration.reservedForVisible = 0
    func order(cancelsJoiner: Bool) -> [String] {
      let world = NumberWorld(configuration: configuration)
      for number in 0..<4 {
        world.timeline.spawn { _ = try? await world.loader.load(NumberRequest(number, priority: .prefetch)) }
      }
      world.timeline.spawn {
        try? await world.timeline.sleep(for: .milliseconds(1))
        let joiner = world.timeline.spawn {
          _ = try? await world.loader.load(NumberRequest(3, priority: .visible))
        }
        try? await world.timeline.sleep(for: .milliseconds(1))
        if cancelsJoiner { joiner.cancel() }
      }
      world.time.run()
      return world.origin.order.map { String($0.suffix(1)) }
    }
    #expect(order(cancelsJoiner: false) == ["0", "3", "1", "2"])
    #expect(order(cancelsJoiner: true) == ["0", "1", "2", "3"])
  }

  @Test("a load with a new token does not join one with the old token")
  func newToken() throws {
    let world = NumberWorld { request in
      let isOld = request.headers["authorization"] == "old"
      return .init(
        after: .milliseconds(10),
        isOld ? .success(TransportResponse(status: 401, url: request.url)) : request.success())
    }
    let old = try Request("http://origin/1", headers: ["Authorization": "old"], account: "ann", options: 1)
    let new = try Request("http://origin/1", headers: ["Authorization": "new"], account: "ann", options: 1)
    let values = world.time.run {
      async let first = world.loader.load(old)
      async let second = world.loader.load(new)
      return (try? await first.value, try? await second.value)
    }
    #expect(values ?? (0, 0) == (nil, 1))
  }

  @Test("a request with Cache-Control: no-cache is a reload")
  func noCache() throws {
    let request = try Request("http://origin/1", headers: ["Cache-Control": "No-Cache"], options: 1)
    #expect(request.cachePolicy == .reload)
    #expect(
      try Request("http://origin/1", headers: ["Cache-Control": "max-age=1"], options: 1).cachePolicy
        == .standard)
  }

  @Test("a reload bypasses and updates the caches; an offline load never asks the origin")
  func policies() {
    let version = Shared(1)
    let world = NumberWorld { request in
      .init(.success(TransportResponse(status: 200, body: Array("\(version.value)".utf8), url: request.url)))
    }
    let values = world.time.run { () -> [Int?] in
      func load(_ policy: CachePolicy, _ number: Int = 1) async -> Int? {
        try? await world.loader.load(NumberRequest(number, policy: policy)).value
      }
      let first = await load(.standard)
      version.value = 2
      return await [
        first, load(.standard), load(.reload), load(.standard), load(.offline), load(.offline, 9),
      ]
    }
    #expect(values == [1, 1, 2, 2, 2, nil])
    #expect(world.origin.counters.started == 2)
  }
}
