internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("The backlog of the decoders, in virtual time")
struct DecodingBacklogTests {
  /// What jobs that load and decode came to.
  private final class Log: Sendable {
    private let state = Mutex((underWay: 0, bodies: 0, mostUnderWay: 0, mostBodies: 0, decoded: 0))

    var most: (underWay: Int, bodies: Int) { state.withLock { ($0.mostUnderWay, $0.mostBodies) } }
    var decoded: Int { state.withLock { $0.decoded } }

    func begin() {
      state.withLock { state in
        state.underWay += 1
        state.mostUnderWay = max(state.mostUnderWay, state.underWay)
      }
    }

    func arrive() {
      state.withLock { state in
        state.bodies += 1
        state.mostBodies = max(state.mostBodies, state.bodies)
      }
    }

    func end() {
      state.withLock { state in
        state.underWay -= 1
        state.bodies -= 1
        state.decoded += 1
      }
    }
  }

  /// 64 jobs work off 300 pictures, each loaded in `load` and decoded by one of two decoders in 10 ms; returns the log
  /// and how long it took.
  private func workOff(load: Duration) throws -> (log: Log, time: Duration) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let log = Log()
    let left = Counter(300)
    let free = Counter(2)
    let duration = try #require(
      time.run {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<64 {
            group.addTask {
              while await backlog.enter() {
                defer { backlog.leave() }
                guard left.take() else { return }
                log.begin()
                try? await timeline.sleep(for: load)
                backlog.bodyArrived(27_000)
                log.arrive()
                while !free.take() { try? await timeline.sleep(for: .milliseconds(1)) }
                try? await timeline.sleep(for: .milliseconds(10))
                free.give()
                backlog.bodyDecoded()
                log.end()
              }
            }
          }
        }
        backlog.close()
        return timeline.now
      })
    #expect(log.decoded == 300)
    return (log, duration)
  }

  private final class Counter: Sendable {
    private let count: Mutex<Int>

    init(_ count: Int) { self.count = Mutex(count) }

    func take() -> Bool {
      count.withLock { count in
        if count > 0 { count -= 1 } else { return false }
        return true
      }
    }

    func give() { count.withLock { $0 += 1 } }
  }

  /// 200 who want to enter, and stay; returns how many have.
  private func crowd(before backlog: DecodingBacklog, _ timeline: Timeline) -> Counter {
    let entered = Counter(0)
    for _ in 0..<200 { timeline.spawn { if await backlog.enter() { entered.give() } } }
    return entered
  }

  @Test func `where the network is fast, few bodies wait, and the decoders never do`() throws {
    let (log, time) = try workOff(load: .milliseconds(1))
    // One more for the first that each decoder gets.
    #expect(log.most.bodies <= 2 * DecodingBacklog.initial + 2)
    // 300 of 10 ms by two, and the little that they wait for their turn.
    #expect(time < .milliseconds(1_700), "\(time)")
  }

  @Test func `where the network is slow, all jobs wait for it at once`() throws {
    let (log, time) = try workOff(load: .seconds(10))
    #expect(log.most.underWay == 64)
    // Five turns of 64, the first of which begins within two looks.
    #expect(time < .seconds(51), "\(time)")
  }

  @Test(arguments: [(27_000, 116), (650_000, 25), (5_000_000, 16)])
  func `for want of bodies more are let in until what is under way would be much`(bytes: Int, most: Int)
    throws
  {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let entered = crowd(before: backlog, timeline)
    for _ in 0...100 {
      time.run(until: time.now)
      backlog.bodyArrived(bytes)
      backlog.bodyDecoded()
    }
    // The last arrives before whoever it lets in can enter.
    for _ in 0..<most { #expect(entered.take()) }
    #expect(!entered.take())
  }

  @Test func `a decoder that is without work for a moment lets nobody in`() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 1, timeline: timeline)
    let entered = crowd(before: backlog, timeline)
    timeline.spawn {
      // The watch looks half as often, always at such a moment.
      for _ in 0..<400 {
        try? await timeline.sleep(for: .milliseconds(1))
        backlog.bodyArrived(1_000_000)
        try? await timeline.sleep(for: .milliseconds(23))
        backlog.bodyDecoded()
        try? await timeline.sleep(for: .milliseconds(1))
      }
    }
    time.run(until: time.now.advanced(by: .seconds(10)))
    for _ in 0..<DecodingBacklog.initial { #expect(entered.take()) }
    #expect(!entered.take())
  }

  @Test func `hosts that never answer do not keep large bodies from the decoders`() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let (dead, free, decoded) = (Counter(15), Counter(2), Counter(0))
    for _ in 0..<64 {
      timeline.spawn {
        while await backlog.enter() {
          if dead.take() { try? await timeline.sleep(for: .seconds(1_000)) }
          try? await timeline.sleep(for: .milliseconds(30))
          backlog.bodyArrived(1_000_000)
          while !free.take() { try? await timeline.sleep(for: .milliseconds(1)) }
          try? await timeline.sleep(for: .milliseconds(10))
          free.give()
          backlog.bodyDecoded()
          decoded.give()
          backlog.leave()
        }
      }
    }
    time.run(until: time.now.advanced(by: .seconds(10)))
    // 2 000 is what two decoders can; through the one place that is left, 250 would get.
    for _ in 0..<1_500 { #expect(decoded.take()) }
  }

  @Test func `a few that never answer hold nobody up`() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let entered = crowd(before: backlog, timeline)
    time.run(until: time.now.advanced(by: .milliseconds(500)))
    for _ in 0..<200 { #expect(entered.take()) }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `who is cancelled takes nobody's place`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 1, timeline: timeline)
    let entered = Counter(0)
    let tasks = (0..<100).map { _ in
      let hold = Duration.milliseconds(Int.random(in: 0..<40, using: &random))
      return timeline.spawn {
        guard await backlog.enter() else { return }
        // So that the watch lets nobody in for want of bodies.
        backlog.bodyArrived(27_000)
        backlog.bodyArrived(27_000)
        try? await timeline.sleep(for: hold)
        entered.give()
        backlog.bodyDecoded()
        backlog.bodyDecoded()
        backlog.leave()
      }
    }
    let cancelled = Set((0..<40).map { _ in Int.random(in: 0..<100, using: &random) })
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(Int(seed)))
      for index in cancelled { tasks[index].cancel() }
    }
    time.run()
    for _ in 0..<(100 - cancelled.count) { #expect(entered.take(), "seed \(seed): somebody waits for ever") }
    // All places are free again.
    let again = Counter(0)
    for _ in 0..<DecodingBacklog.initial { timeline.spawn { if await backlog.enter() { again.give() } } }
    time.run(until: time.now)
    for _ in 0..<DecodingBacklog.initial { #expect(again.take(), "seed \(seed): a place is lost") }
  }
}
