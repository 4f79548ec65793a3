public import Cellophane
internal import Synchronization

/// An executor and a clock in one: tasks run on the thread that calls ``run()``, one after another, and when
/// none is ready, time jumps to the next one that sleeps. The same program runs the same way every time; with a
/// seed, in an order of its own: one of those in which tasks on many threads could come to pass one another. What waits
/// for one actor may do so, too.
///
/// The default actors that such tasks call run here as well; so do actors that take a ``Lane`` as their
/// serial executor. What starts a bare task leaves for the global pool and is lost for it.
public final class VirtualTime: TaskExecutor, Clock {
  /// Nanoseconds since the start.
  public struct Instant: InstantProtocol {
    /// Nanoseconds since the start.
    public let nanoseconds: Int64

    /// The instant `duration` later, in whole nanoseconds: what is less is left away.
    public func advanced(by duration: Duration) -> Instant {
      // Not by division, which rounds: a sleep would end before its time.
      let (seconds, attoseconds) = duration.components
      return Instant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The time from here to `other`.
    public func duration(to other: Instant) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

    /// Orders by time.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
  }

  /// A serial executor on the same thread, for an actor that must not use the threads of its own that it has
  /// in real life.
  public final class Lane: SerialExecutor {
    private let time: VirtualTime

    init(_ time: VirtualTime) { self.time = time }

    /// Puts a job in line.
    public func enqueue(_ job: consuming ExecutorJob) {
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
    /// Those who wait until nothing is ready and nobody sleeps.
    var idlers: [Sleeper] = []
    var jobs = 0
    /// True when any of those that are ready may be next, not only the one that has been so for longest.
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

    /// Those who wake next, when nothing is ready: one; when any order will do, all whose time it is.
    mutating func takeSleepers(until deadline: Instant?) -> [Sleeper] {
      var woken: [Sleeper] = []
      while let (at, sleeper) = timers.first {
        if let deadline, at > deadline.nanoseconds, !sleeper.isDone { break }
        if !woken.isEmpty, at > now { break }
        timers.removeFirst()
        // A cancelled sleep must not move time.
        if sleeper.isDone { continue }
        now = at
        woken.append(sleeper)
        if !isShuffled { break }
      }
      if woken.isEmpty, timers.first == nil, !idlers.isEmpty { woken.append(idlers.removeFirst()) }
      return woken
    }
  }

  private let state: Mutex<State>

  /// Time zero, nothing to do.
  ///
  /// - Parameter seed: Of several tasks that are ready one at random is next, by this; nil for the one that has been
  ///   so for longest.
  public init(seed: UInt64? = nil) { state = Mutex(State(seed: seed)) }

  /// The instant that was reached.
  public var now: Instant { Instant(nanoseconds: state.withLock { $0.now }) }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }
  /// Jobs run so far.
  public var jobs: Int { state.withLock { $0.jobs } }

  /// A timeline by this clock on this executor. Its calendar starts at `start` seconds since 1970.
  public func timeline(start: Int64 = 1_800_000_000) -> Timeline {
    Timeline(clock: self, executor: self) { [self] in start + now.nanoseconds / 1_000_000_000 }
  }

  /// Puts a job in line.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready.append(Ready(job: job, lane: nil)) }
  }

  /// A new serial executor on this thread.
  public func lane() -> Lane { Lane(self) }

  /// Waits until `deadline`; throws `CancellationError` when the task is cancelled first.
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

  /// Waits until nothing is ready and nobody sleeps: whatever else waits now does so for something that never
  /// happens, unless the caller brings it about. Of several who wait, the first goes on. Goes on waiting when
  /// the task is cancelled.
  public func standstill() async {
    let sleeper = Sleeper()
    state.withLock { $0.idlers.append(sleeper) }
    _ = await sleeper.wait()
  }

  /// Runs until nothing is ready and nobody sleeps, or until `deadline` would be passed.
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

  /// Runs `operation` and everything that it starts; returns what it returned, or nil when it waits for
  /// something that never happens.
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
