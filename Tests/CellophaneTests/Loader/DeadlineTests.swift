@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Deadlines of loads, in virtual time")
struct DeadlineTests {
  /// The step that takes the time of a load.
  enum Step: CaseIterable {
    case queue, circuit, retry, firstByte, body, redirect, decoding, decodingQueue
  }

  /// A decoder that waits as a busy codec does.
  struct SlowDecoder: ResourceDecoder {
    let timeline: Timeline
    let delay: Duration

    func decode(_ bytes: [UInt8], options: Int) async throws(LoadError) -> Int {
      try await timeline.pause(for: delay)
      return try NumberDecoder().decode(bytes, options: options)
    }
    func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int { 8 }
    func cost(of value: Int) -> Int { 8 }
  }

  /// A loader whose loads of number 1 take 50 s in `step`.
  private struct World: TestWorld {
    let base: LoaderWorld
    let loader: ResourceLoader<SlowDecoder>

    init(_ step: Step, deadline: Duration? = nil) {
      base = LoaderWorld {
        $0.deadline = deadline
        if step == .queue { $0.transfers = 1 }
        $0.retry.longestWait = .seconds(60)
      }
      var limits = DecodingLimits()
      if step == .decodingQueue { limits.decoders = 1 }
      let isDecoding = step == .decoding || step == .decodingQueue
      loader = ResourceLoader(
        bytes: base.bytes,
        decoder: SlowDecoder(timeline: base.timeline, delay: isDecoding ? .seconds(50) : .zero),
        memory: MemoryCache(limit: 80_000), limits: limits)
      origin.script("*", .ok("1"))
      let slow = ScriptedTransport.Answer.ok("1").after(.seconds(50))
      switch step {
      case .queue: origin.script("http://origin/2", slow)
      case .circuit, .retry: origin.script("*", .status(503, ["retry-after": "50"]), .ok("1"))
      case .firstByte: origin.script("http://origin/1", slow)
      case .body: origin.script("http://origin/1", .ok("11").inPieces(of: 1, every: .seconds(25)))
      case .redirect:
        origin.script("http://origin/1", .redirect(to: "http://other/1"))
        origin.script("http://other/1", slow)
      case .decoding, .decodingQueue: break
      }
      // Another load that takes the slot, opens the circuit, or decodes.
      if [.queue, .circuit, .decodingQueue].contains(step) {
        var other = NumberRequest(2)
        other.deadline = .seconds(200)
        timeline.spawn { [loader, other] in _ = try? await loader.load(other) }
      }
    }

    /// Loads number 1 and returns the error, with the time at which the load ended.
    func load(_ deadline: Duration?) async -> (error: LoadError?, at: Duration) {
      try? await timeline.sleep(for: .seconds(1))
      var request = NumberRequest(1)
      request.deadline = deadline
      do throws(LoadError) {
        _ = try await loader.load(request)
        return (nil, timeline.now)
      } catch {
        return (error, timeline.now)
      }
    }
  }

  @Test("a load ends at its deadline, whatever it waits for", arguments: Step.allCases)
  func steps(step: Step) throws {
    let world = World(step)
    let (error, end) = try #require(world.time.run { await world.load(.seconds(5)) })
    #expect(error?.kind == .timeout && error?.isRetryable == true)
    #expect(error?.message.contains("deadline of 5.0 s") == true)
    #expect(end == .seconds(6))
  }

  @Test("without a deadline, or before it, the same loads succeed", arguments: Step.allCases)
  func inTime(step: Step) throws {
    for deadline in [nil, Duration.seconds(200)] {
      let world = World(step)
      #expect(try #require(world.time.run { await world.load(deadline) }).error == nil)
    }
  }

  @Test("the deadline of the loader counts for requests that have none", arguments: Step.allCases)
  func standard(step: Step) throws {
    let (late, patient) = (World(step, deadline: .seconds(3)), World(step, deadline: .seconds(3)))
    let (error, end) = try #require(late.time.run { await late.load(nil) })
    #expect(error?.kind == .timeout && end == .seconds(4))
    #expect(try #require(patient.time.run { await patient.load(.seconds(200)) }).error?.kind != .timeout)
  }

  @Test("each caller of a shared load has its own deadline, and the transfer goes on for the others")
  func shared() {
    let world = World(.firstByte)
    let ends = Shared<[String]>([])
    for deadline in [Duration.seconds(2), .seconds(20), nil, .seconds(80)] {
      world.timeline.spawn {
        let (error, end) = await world.load(deadline)
        ends.update { $0.append("\(error?.kind.rawValue ?? "value") \(end.components.seconds)") }
      }
    }
    world.time.run()
    #expect(ends.value == ["timeout 3", "timeout 21", "value 51", "value 51"])
    #expect(world.origin.counters.started == 1 && world.origin.counters.cancelled == 0)
  }

  @Test("a load that its last caller gave up at the deadline ends, and leaves nothing behind")
  func lastCaller() {
    let world = World(.firstByte)
    #expect(world.time.run { await world.load(.seconds(2)).error?.kind } == .timeout)
    world.time.run()
    #expect(world.origin.counters.cancelled == 1)
    #expect(world.time.run { await world.base.isIdle() } == true)
  }

  @Test("raw bytes have the same deadline, and a value in memory answers after it")
  func bytesAndMemory() {
    let world = World(.firstByte)
    var request = NumberRequest(1)
    request.deadline = .seconds(2)
    let late = request
    let kind = world.time.run { () -> LoadError.Kind? in
      do throws(LoadError) {
        _ = try await world.bytes.load(late)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind == .timeout && world.timeline.now == .seconds(2))
    #expect(world.time.run { await world.load(nil).error == nil } == true)
    request.deadline = .zero
    let hit = request
    #expect(world.time.run { try? await world.loader.load(hit).source } == .memory)
  }

  @Test("100 callers of a host that hangs all end at their deadline")
  func hangingHost() {
    let world = NumberWorld { .init(after: .seconds(3_000), $0.success()) }
    let ends = Shared<[Duration]>([])
    for number in 0..<100 {
      world.timeline.spawn {
        var request = NumberRequest(number)
        request.deadline = .seconds(10)
        _ = try? await world.loader.load(request)
        ends.update { $0.append(world.timeline.now) }
      }
    }
    world.time.run()
    #expect(ends.value == Array(repeating: .seconds(10), count: 100))
    #expect(world.time.run { await world.isIdle() } == true)
  }
}
