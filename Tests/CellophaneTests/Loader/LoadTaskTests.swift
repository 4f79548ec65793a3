@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Load tasks, in virtual time")
struct LoadTaskTests {
  private static let length = 10

  /// Returns a world in which the ten digits of a body arrive one by one, `pause` apart.
  private func world(
    pause: Duration = .milliseconds(60), _ fields: HeaderFields = ["content-length": "10"]
  ) -> NumberWorld {
    NumberWorld { request in
      .init(
        after: .milliseconds(10), pieces: Array(repeating: .init(1, pause: pause), count: Self.length),
        request.success().map { response in
          var response = response
          response.headers = fields
          return response
        })
    }
  }

  private let request = NumberRequest(1_234_567_890)

  @Test("progress comes at once and then at most every 100 ms, and ends with the load")
  func progress() async {
    let world = world()
    let task = world.loader.task(for: request)
    let log = Shared<[String]>([])
    world.timeline.spawn {
      for await progress in task.progress {
        let time = Int(world.timeline.now / .milliseconds(1))
        log.update { $0.append("\(time): \(progress.received) of \(progress.expected ?? -1)") }
      }
      log.update { $0.append("end") }
    }
    world.time.run()
    #expect(
      log.value == [
        "0: 0 of -1", "100: 2 of 10", "200: 4 of 10", "300: 5 of 10", "400: 7 of 10", "500: 9 of 10",
        "600: 10 of 10", "end",
      ])
    #expect(task.timings?.total == .milliseconds(610))
    #expect(await world.isIdle())
  }

  @Test("a task that joins a load has its progress, also through the steps of a derived value")
  func joined() {
    let world = StepWorld { request in
      .init(
        after: .milliseconds(10), pieces: Array(repeating: .init(1, pause: .milliseconds(60)), count: 6),
        request.success())
    }
    let first = world.loader.task(for: world.request(123_456))
    let second = world.loader.task(for: world.request(123_456, 1, 2))
    let log = Shared<[Int]>([])
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(150))
      for await progress in second.progress { log.update { $0.append(progress.received) } }
    }
    world.time.run()
    #expect(log.value == [3, 4, 6])
    let values = world.time.run { [try? await first.value.value, try? await second.value.value] }
    #expect(values == [123_456, 12_345_612])
  }

  @Test("the bytes of an earlier transfer count as resumed")
  func resumed() {
    let world = StepWorld(retries: 1) { request in
      let range = request.headers["range"]
      let fields: HeaderFields = ["etag": "\"1\"", "accept-ranges": "bytes", "content-length": "10"]
      if range == nil {
        return .status(200, fields, body: Array("1234567890".utf8)).broken(after: 4)
      }
      let rest = TransportResponse(
        status: 206, headers: ["etag": "\"1\"", "content-range": "bytes 4-9/10"],
        body: Array("567890".utf8), url: request.url)
      return .init(
        after: .milliseconds(10), pieces: Array(repeating: .init(3, pause: .milliseconds(150)), count: 2),
        .success(rest))
    }
    let task = world.loader.task(for: world.request(1_234_567_890))
    let log = Shared<[LoadProgress]>([])
    world.timeline.spawn { for await progress in task.progress { log.update { $0.append(progress) } } }
    world.time.run()
    #expect(log.value.last == LoadProgress(received: 10, expected: 10, resumed: 4))
    #expect(log.value.contains(LoadProgress(received: 7, expected: 10, resumed: 4)))
    let value = world.time.run { try? await task.value.value }
    #expect(value == 1_234_567_890)
  }

  @Test("without a length there is no fraction")
  func unknownLength() {
    let world = world([:])
    let task = world.loader.task(for: request)
    let fractions = Shared<[Double?]>([])
    world.timeline.spawn {
      for await progress in task.progress { fractions.update { $0.append(progress.fraction) } }
    }
    world.time.run()
    #expect(fractions.value.count > 3 && fractions.value.allSatisfy { $0 == nil })
    #expect(LoadProgress(received: 5, expected: 10).fraction == 0.5)
    #expect(LoadProgress(received: 11, expected: 10).fraction == 1)
    #expect(LoadProgress(received: 0, expected: 0).fraction == 1)
  }

  @Test("a task can be cancelled, and its callers get the error")
  func cancelled() async {
    let world = world()
    let task = world.loader.task(for: request)
    let errors = Shared<[LoadError.Kind]>([])
    for _ in 0..<2 {
      world.timeline.spawn {
        do throws(LoadError) { _ = try await task.value } catch { errors.update { $0.append(error.kind) } }
      }
    }
    world.base.advance(.milliseconds(100))
    task.cancel()
    world.time.run()
    #expect(errors.value == [.cancelled, .cancelled])
    #expect(task.timings == nil)
    #expect(world.origin.counters.cancelled == 1)
    #expect(await world.isIdle())
  }

  @Test("the priority of a task decides its place in the queue")
  func priority() {
    let order = Shared<[Int]>([])
    let world = NumberWorld(configuration: .init(transfers: 1, reservedForVisible: 0)) { request in
      order.update { $0.append(request.number) }
      return .init(after: .milliseconds(10), request.success())
    }
    let tasks = (1...4).map { world.loader.task(for: NumberRequest($0, priority: .prefetch)) }
    world.base.advance(.milliseconds(1))
    tasks[3].priority = .visible
    #expect(tasks[3].priority == .visible)
    world.time.run()
    #expect(order.value == [1, 4, 2, 3])
  }

  @Test("a load has the durations of its queue, its transfer and its decoding")
  func timings() throws {
    let world = world()
    let task = world.loader.task(for: request)
    world.time.run()
    let timings = try #require(task.timings)
    #expect(timings.fetch?.attempts == 1)
    #expect(timings.decoding != nil)
    let again = world.loader.task(for: request)
    world.time.run()
    #expect(again.timings == LoadTimings(total: .zero, fetch: nil, decoding: nil))
  }
}
