internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("The backlog of the decoders, in virtual time")
struct DecodingBacklogTests {
  /// The numbers of images in progress, of waiting bodies and of decoded images.
  private final class Log: Sendable {
    private let state = Mutex((inProgress: 0, bodies: 0, mostInProgress: 0, mostBodies: 0, decoded: 0))

    var most: (inProgress: Int, bodies: Int) { state.withLock { ($0.mostInProgress, $0.mostBodies) } }
    var decoded: Int { state.withLock { $0.decoded } }

    func begin() {
      state.withLock { state in
        state.inProgress += 1
        state.mostInProgress = max(state.mostInProgress, state.inProgress)
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
        state.inProgress -= 1
        state.bodies -= 1
        state.decoded += 1
      }
    }
  }

  /// Loads 300 images with 64 jobs. Each image takes `load` to load, and 10 ms in one of two decoders. Returns the
  /// log and the total time.
  private func loadAll(load: Duration) throws -> (log: Log, time: Duration) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let log = Log()
    let remaining = Counter(300)
    let free = Counter(2)
    let duration = try #require(
      time.run {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<64 {
            group.addTask {
              while await backlog.enter() {
                defer { backlog.leave() }
                guard remaining.take() else { return }
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

  /// Starts 200 tasks that enter and stay. Returns the counter of the tasks that have entered.
  private func startTasks(entering backlog: DecodingBacklog, _ timeline: Timeline) -> Counter {
    let entered = Counter(0)
    for _ in 0..<200 { timeline.spawn { if await backlog.enter() { entered.give() } } }
    return entered
  }

  @Test func `with a fast network, few bodies wait, and the decoders are never idle`() throws {
    let (log, time) = try loadAll(load: .milliseconds(1))
    // One more for the first body of each decoder.
    #expect(log.most.bodies <= 2 * DecodingBacklog.initial + 2)
    // 300 images of 10 ms in two decoders, and short waiting times.
    #expect(time < .milliseconds(1_700), "\(time)")
  }

  @Test func `with a slow network, all jobs load at once`() throws {
    let (log, time) = try loadAll(load: .seconds(10))
    #expect(log.most.inProgress == 64)
    // Five rounds of 64 images. The first round starts within two checks.
    #expect(time < .seconds(51), "\(time)")
  }

  @Test(arguments: [(27_000, 116), (650_000, 25), (5_000_000, 16)])
  func `idle decoders raise the limit, up to a number of bytes in progress`(bytes: Int, most: Int)
    throws
  {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let entered = startTasks(entering: backlog, timeline)
    for _ in 0...100 {
      time.run(until: time.now)
      backlog.bodyArrived(bytes)
      backlog.bodyDecoded()
    }
    // The last body admits a task that has not entered yet.
    for _ in 0..<most { #expect(entered.take()) }
    #expect(!entered.take())
  }

  @Test func `a decoder that is idle for a moment does not raise the limit`() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 1, timeline: timeline)
    let entered = startTasks(entering: backlog, timeline)
    timeline.spawn {
      // The monitor checks half as often, always when the decoder is idle.
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

  @Test func `hosts that never respond do not keep large bodies from the decoders`() throws {
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
    // Two decoders can decode 2 000 bodies. With only the one remaining slot, there would be 250.
    for _ in 0..<1_500 { #expect(decoded.take()) }
  }

  @Test func `a few tasks that never end do not stop the others`() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let backlog = DecodingBacklog(decoders: 2, timeline: timeline)
    let entered = startTasks(entering: backlog, timeline)
    time.run(until: time.now.advanced(by: .milliseconds(500)))
    for _ in 0..<200 { #expect(entered.take()) }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `a cancelled task takes no slot from another`(seed: UInt64)
    throws
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
        // Two bodies, so that the decoder is busy and the monitor does not raise the limit.
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
    for _ in 0..<(100 - cancelled.count) { #expect(entered.take(), "seed \(seed): a task waits forever") }
    // All slots are free again.
    let again = Counter(0)
    for _ in 0..<DecodingBacklog.initial { timeline.spawn { if await backlog.enter() { again.give() } } }
    time.run(until: time.now)
    for _ in 0..<DecodingBacklog.initial { #expect(again.take(), "seed \(seed): a slot is lost") }
  }
}
