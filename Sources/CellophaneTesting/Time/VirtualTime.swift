public import Cellophane
internal import Synchronization

/// A task executor and a clock for tests.
///
/// Tasks run one after another on the thread that calls ``run(until:)``. When no task is ready, the clock jumps to the
/// end of the earliest sleep. The same program runs in the same order every time. A seed selects another order: one
/// that tasks on several threads could also have, including the order in which they enter an actor.
///
/// Default actors that these tasks call run on the same thread, and so do actors with a lane as their serial
/// executor. A bare `Task` runs on the global pool, outside virtual time.
public final class VirtualTime: TaskExecutor, Clock {
  /// Nanoseconds since the start.
  public struct Instant: InstantProtocol {
    /// Nanoseconds since the start.
    public let nanoseconds: Int64

    /// The instant `duration` later, rounded down to whole nanoseconds.
    public func advanced(by duration: Duration) -> Instant {
      // Division rounds, and a sleep could end early.
      let (seconds, attoseconds) = duration.components
      return Instant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The time from here to `other`.
    public func duration(to other: Instant) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

    /// Orders by time.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
  }

  /// A serial executor on the same thread, for an actor that has its own threads outside tests.
  package final class Lane: SerialExecutor {
    private let time: VirtualTime

    init(_ time: VirtualTime) { self.time = time }

    /// Adds a job to the queue.
    package func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      time.state.withLock { $0.ready.append(Ready(job: job, lane: self)) }
    }
  }

  private struct Ready {
    let job: UnownedJob
    let lane: Lane?
  }

  private final class Sleeper: Sendable {
    private enum State {
      case idle
      case waiting(CheckedContinuation<Bool, Never>)
      case done(hasElapsed: Bool)
    }

    private let state = Mutex(State.idle)

    var isDone: Bool {
      state.withLock { state in
        if case .done = state { true } else { false }
      }
    }

    func end(hasElapsed: Bool) {
      let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        defer { if case .done = state {} else { state = .done(hasElapsed: hasElapsed) } }
        if case .waiting(let waiter) = state { return waiter }
        return nil
      }
      waiter?.resume(returning: hasElapsed)
    }

    func wait() async -> Bool {
      await withCheckedContinuation { waiter in
        let early = state.withLock { state -> Bool? in
          if case .done(let hasElapsed) = state { return hasElapsed }
          state = .waiting(waiter)
          return nil
        }
        if let early { waiter.resume(returning: early) }
      }
    }
  }

  private struct State {
    var ready: [Ready] = []
    var next = 0
    var now: Int64 = 0
    var timers = TimerHeap<Sleeper>()
    /// Waiters for the moment at which no task is ready and no task sleeps.
    var quiescenceWaiters: [Sleeper] = []
    var jobs = 0
    var setBack: Int64 = 0
    /// True when the next job is a random one of the ready jobs. Otherwise it is the oldest.
    let isShuffled: Bool
    var random: SplitMix64

    init(seed: UInt64?) { (isShuffled, random) = (seed != nil, SplitMix64(seed: seed ?? 0)) }

    mutating func takeJob() -> Ready? {
      guard next < ready.count else {
        ready.removeAll(keepingCapacity: true)
        next = 0
        return nil
      }
      defer { next += 1 }
      jobs += 1
      if isShuffled { ready.swapAt(next, .random(in: next..<ready.count, using: &random)) }
      return ready[next]
    }

    /// Advances the clock to the earliest sleeper and removes it, or with a seed all that are due at its time. Returns
    /// them. Without any sleeper, removes and returns the first waiter for quiescence.
    mutating func takeSleepers(until deadline: Instant?) -> [Sleeper] {
      var woken: [Sleeper] = []
      while let (at, sleeper) = timers.first {
        if let deadline, at > deadline.nanoseconds, !sleeper.isDone { break }
        if !woken.isEmpty, at > now { break }
        timers.removeFirst()
        // A cancelled sleep must not advance the clock.
        if sleeper.isDone { continue }
        now = at
        woken.append(sleeper)
        if !isShuffled { break }
      }
      if woken.isEmpty, timers.first == nil, !quiescenceWaiters.isEmpty {
        woken.append(quiescenceWaiters.removeFirst())
      }
      return woken
    }
  }

  private let state: Mutex<State>

  /// Creates a clock at time zero, without tasks.
  ///
  /// - Parameter seed: Selects the next task among several ready ones at random. With nil, the next task is the one
  ///   that has been ready for the longest time.
  public init(seed: UInt64? = nil) { state = Mutex(State(seed: seed)) }

  /// The current instant.
  public var now: Instant { Instant(nanoseconds: state.withLock { $0.now }) }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }
  /// The number of jobs that have run.
  package var jobs: Int { state.withLock { $0.jobs } }

  /// The seconds by which the calendar of every timeline is set back, as a user may do.
  package var setBack: Int64 {
    get { state.withLock { $0.setBack } }
    set { state.withLock { $0.setBack = newValue } }
  }

  /// Returns a timeline with this clock and executor. Its calendar starts at `start` seconds since 1970.
  public func timeline(start: Int64 = 1_800_000_000) -> Timeline {
    Timeline(clock: self, executor: self) { [self] in
      state.withLock { start + $0.now / 1_000_000_000 - $0.setBack }
    }
  }

  /// Adds a job to the queue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready.append(Ready(job: job, lane: nil)) }
  }

  /// Returns a new serial executor on this thread.
  package func lane() -> Lane { Lane(self) }

  /// Waits until `deadline`. Throws `CancellationError` when the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    state.withLock { $0.timers.insert(sleeper, at: max(deadline.nanoseconds, $0.now)) }
    let hasElapsed = await withTaskCancellationHandler {
      await sleeper.wait()
    } onCancel: {
      sleeper.end(hasElapsed: false)
    }
    if !hasElapsed { throw CancellationError() }
  }

  /// Waits until no task is ready and no task sleeps. Every other task then waits for an event that only the caller can
  /// cause. Of several callers, the first one continues. Ignores the cancellation of its task.
  public func quiescence() async {
    let sleeper = Sleeper()
    state.withLock { $0.quiescenceWaiters.append(sleeper) }
    _ = await sleeper.wait()
  }

  /// Runs until no task is ready and no task sleeps, or until the clock would pass `deadline`. In both cases the clock
  /// then advances to `deadline`, if any.
  public func run(until deadline: Instant? = nil) {
    while true {
      while let job = state.withLock({ $0.takeJob() }) {
        if let lane = job.lane {
          unsafe job.job.runSynchronously(
            isolatedTo: lane.asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        } else {
          unsafe job.job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
      let next = state.withLock { $0.takeSleepers(until: deadline) }
      if next.isEmpty { break }
      for sleeper in next { sleeper.end(hasElapsed: true) }
    }
    if let deadline { state.withLock { $0.now = max($0.now, deadline.nanoseconds) } }
  }

  /// Runs `operation` and every task that it starts. Returns its result, or nil when it waits for an event that never
  /// happens.
  public func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Value? {
    let result = Result<Value>()
    timeline().spawn {
      let value = await operation()
      result.value.withLock { $0 = value }
    }
    run()
    return result.value.withLock { $0 }
  }

  private final class Result<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
