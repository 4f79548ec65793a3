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

/// The source of time and the executor of tasks. Everything that waits, measures or starts a task uses one,
/// so that a test or a simulation can inject its own.
public struct Timeline: Sendable {
  /// The preferred executor of the loader's tasks; nil for Swift's global pool.
  package let executor: (any TaskExecutor)?
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void
  private let unixTime: @Sendable () -> Int64

  /// Creates a timeline of the system's monotonic clock and calendar, with tasks on `executor`; nil for
  /// Swift's global pool.
  public init(executor: (any TaskExecutor)? = nil) {
    let clock = ContinuousClock()
    let (origin, start) = (Self.systemNanoseconds, clock.now)
    self.executor = executor
    unixTime = { Int64(Date.now.timeIntervalSince1970) }
    // Not `ContinuousClock.now`, which takes four times as long: a load reads the time about two dozen times.
    elapsed = { .nanoseconds(Self.systemNanoseconds - origin) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Creates a timeline of `clock` and of a calendar in seconds since 1970, with tasks on `executor`.
  public init<C: Clock>(
    clock: C, executor: (any TaskExecutor)? = nil, unixTime: @escaping @Sendable () -> Int64
  ) where C.Duration == Duration {
    let start = clock.now
    self.executor = executor
    self.unixTime = unixTime
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The clock that `ContinuousClock` reads.
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

  /// The time since this timeline was created.
  public var now: Duration { elapsed() }

  /// Seconds since 1970, for the dates of HTTP.
  public var secondsSince1970: Int64 { unixTime() }

  /// Waits for `duration`; throws `CancellationError` if the task is cancelled first.
  public func sleep(for duration: Duration) async throws {
    try await sleepUntil(now + duration)
  }

  /// Waits for `duration`; throws ``LoadError/cancelled`` if the task is cancelled first.
  package func pause(for duration: Duration) async throws(LoadError) {
    do { try await sleep(for: duration) } catch { throw .cancelled }
  }

  /// Starts a task on the injected executor, in the isolation of the calling code.
  ///
  /// All tasks must be started here: a bare task would run on the global pool and escape virtual time.
  @discardableResult
  public func spawn(
    priority: TaskPriority? = nil,
    // Underscored, but `Task.init` uses it as well: a slot's task must stay on its owner's actor.
    @_inheritActorContext(always) _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    // Passing a nil preference makes the runtime look it up at each step: 4 % of a small load.
    guard let executor else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }
}
