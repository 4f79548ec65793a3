@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Bounds on waiting work")
struct QueueBoundTests {
  private let a = Origin(scheme: "http", host: "a", port: 80)
  private let b = Origin(scheme: "http", host: "b", port: 80)

  @Test("the work that would be admitted last is the surplus")
  func surplus() {
    let cases: [(waiting: [Priority], surplus: Int)] = [
      ([.normal, .normal, .normal], 3), ([.normal, .prefetch, .normal], 2),
      ([.prefetch, .prefetch, .normal], 2),
      ([.visible, .visible, .visible], 1), ([.visible, .normal, .visible], 2),
      ([.normal, .visible, .prefetch], 3),
    ]
    for (waiting, surplus) in cases {
      var queue = GateQueue(limits: GateQueue.Limits(total: 1, perOrigin: 1, reserved: 0, waiting: 2))
      _ = queue.enqueue(origin: a, priority: .normal)
      #expect(queue.admit() == 1)
      for (index, priority) in waiting.enumerated() {
        #expect(queue.surplus == nil)
        _ = queue.enqueue(origin: index % 2 == 0 ? a : b, priority: priority)
        _ = queue.admit()
      }
      #expect(queue.surplus == GateQueue.ID(surplus + 1), "\(waiting)")
    }
  }

  /// Loads numbers at once and returns how each load ended, in the order of the numbers.
  private func outcomes(
    _ priorities: [Priority], configuration: ByteLoader.Configuration = .init(),
    limits: DecodingLimits = .init()
  ) -> [String] {
    let world = NumberWorld(configuration: configuration, limits: limits)
    let outcomes = Shared<[String]>(Array(repeating: "", count: priorities.count))
    for (number, priority) in priorities.enumerated() {
      world.timeline.spawn {
        try? await world.timeline.sleep(for: .microseconds(number))
        do throws(LoadError) {
          let value = try await world.loader.load(NumberRequest(number, priority: priority)).value
          outcomes.update { $0[number] = "\(value)" }
        } catch {
          outcomes.update { $0[number] = error.kind.rawValue + (error.isRetryable ? "" : "!") }
        }
      }
    }
    world.time.run()
    #expect(world.time.run { await world.isIdle() } == true)
    return outcomes.value
  }

  @Test("a full queue of transfers refuses the load that would begin last")
  func transfers() {
    var configuration = ByteLoader.Configuration()
    (configuration.transfers, configuration.maxWaiting) = (1, 2)
    #expect(
      outcomes([.normal, .normal, .normal, .normal, .normal], configuration: configuration)
        == ["0", "1", "2", "busy", "busy"])
    #expect(
      outcomes([.normal, .prefetch, .normal, .visible], configuration: configuration)
        == ["0", "busy", "2", "3"])
    configuration.maxWaiting = 0
    #expect(outcomes([.visible, .visible], configuration: configuration) == ["0", "busy"])
    configuration.maxWaiting = nil
    #expect(
      outcomes(Array(repeating: .normal, count: 50), configuration: configuration) == (0..<50).map { "\($0)" }
    )
  }

  @Test("a full queue of decodings refuses the loads whose decodings would begin last")
  func decodings() {
    func ended(_ limits: DecodingLimits) -> [String] {
      let base = LoaderWorld(cacheLimit: nil)
      base.origin.script("*", .ok("1"))
      let loader = ResourceLoader(
        bytes: base.bytes, decoder: DeadlineTests.SlowDecoder(timeline: base.timeline, delay: .seconds(1)),
        memory: MemoryCache(limit: 80_000), limits: limits)
      let ends = Shared<[String]>([])
      for number in 0..<5 {
        base.timeline.spawn {
          try? await base.timeline.sleep(for: .milliseconds(number))
          do throws(LoadError) {
            _ = try await loader.load(NumberRequest(number))
            ends.update { $0.append("\(number)") }
          } catch {
            ends.update { $0.append("\(number) \(error.kind.rawValue), \(error.isRetryable)") }
          }
        }
      }
      base.time.run()
      return ends.value
    }
    #expect(
      ended(DecodingLimits(decoders: 1, maxWaiting: 2)) == ["3 busy, true", "4 busy, true", "0", "1", "2"])
    #expect(
      ended(DecodingLimits(decoders: 2, maxWaiting: 0))
        == ["2 busy, true", "3 busy, true", "4 busy, true", "0", "1"])
    #expect(ended(DecodingLimits(decoders: 1)) == ["0", "1", "2", "3", "4"])
  }

  @Test("a full queue does not keep memory and disk from answering")
  func caches() async {
    let base = LoaderWorld { ($0.transfers, $0.maxWaiting) = (1, 0) }
    base.origin.script("http://h/*", .ok("7", ["cache-control": "max-age=60"]))
    base.origin.script("http://h/slow", .ok("7").after(.seconds(5)))
    let answers = base.time.run {
      var answers = [await base.load("http://h/a")]
      base.timeline.spawn { _ = await base.load("http://h/slow") }
      try? await base.timeline.sleep(for: .seconds(1))
      answers.append(await base.load("http://h/b"))
      answers.append(await base.load("http://h/a"))
      return answers
    }
    #expect(answers == ["7 network", "busy", "7 disk"])
  }

  @Test("callers of one load take one place in the queue")
  func coalesced() {
    let world = LoaderWorld(cacheLimit: nil) { ($0.transfers, $0.maxWaiting) = (1, 1) }
    world.origin.script("*", .ok("1").after(.seconds(1)))
    let answers = Shared<[String]>([])
    for path in ["a", "b", "b", "b", "a"] {
      world.timeline.spawn {
        let answer = await world.load("http://h/\(path)")
        answers.update { $0.append(answer) }
      }
    }
    world.time.run()
    #expect(answers.value == Array(repeating: "1 network", count: 5))
  }
}
