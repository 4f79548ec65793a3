#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Where time comes from and where tasks run. Everything that waits, measures or starts a task takes one,
/// so that a test or a simulation can put its own in place.
public struct Timeline: Sendable {
  /// The executor that the loader's tasks prefer; nil is Swift's global pool.
  public let executor: (any TaskExecutor)?
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void
  private let unixTime: @Sendable () -> Int64

  /// The system's monotonic clock and its calendar, tasks on `executor`; nil is Swift's pool of threads.
  public init(executor: (any TaskExecutor)? = nil) {
    let clock = ContinuousClock()
    let (origin, start) = (Self.systemNanoseconds, clock.now)
    self.executor = executor
    unixTime = { Int64(Date.now.timeIntervalSince1970) }
    // Not by the clock, which takes four times as long: a load asks two dozen times.
    elapsed = { .nanoseconds(Self.systemNanoseconds - origin) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Time by `clock`, tasks on `executor`, the calendar (seconds since 1970) by `unixTime`.
  public init<C: Clock>(
    clock: C, executor: (any TaskExecutor)? = nil, unixTime: @escaping @Sendable () -> Int64
  ) where C.Duration == Duration {
    let start = clock.now
    self.executor = executor
    self.unixTime = unixTime
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// What `ContinuousClock` reads.
  private static var systemNanoseconds: Int64 {
    #if canImport(Darwin)
      let id = CLOCK_MONOTONIC_RAW
    #else
      let id = CLOCK_BOOTTIME
    #endif
    var time = timespec()
    unsafe clock_gettime(id, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time since this timeline was made.
  public var now: Duration { elapsed() }

  /// Seconds since 1970, for the dates that HTTP speaks of.
  public var secondsSince1970: Int64 { unixTime() }

  /// Waits; throws `CancellationError` when the task is cancelled first.
  public func sleep(for duration: Duration) async throws {
    try await sleepUntil(now + duration)
  }

  /// The same, for a load.
  func pause(for duration: Duration) async throws(LoadError) {
    do { try await sleep(for: duration) } catch { throw .cancelled }
  }

  /// Starts a task that keeps the isolation of the code that starts it and stays on the injected executor.
  /// The only place that starts one: a bare task would leave for the global pool and escape virtual time.
  @discardableResult
  public func spawn(
    priority: TaskPriority? = nil,
    // Underscored, but what `Task.init` itself uses: a slot's task must stay on its owner's actor.
    @_inheritActorContext(always) _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // A task that prefers no executor, in so many words, is asked for its preference at each step: 4 % of a small load.
    guard let executor else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }
}
