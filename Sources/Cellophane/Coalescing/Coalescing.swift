/// An actor that runs one piece of work per key for all callers (singleflight). Both loaders are.
///
/// The in-flight table decides; this runs its effects. Each caller has its own one-shot cell, which its cancellation settles
/// at once from any thread; the actor removes the caller from the table afterwards.
protocol Coalescing: Actor {
  associatedtype FlightKey: Hashable & Sendable
  associatedtype Output: Sendable
  associatedtype Progress: FlightProgress

  var inFlight: InFlightTable<FlightKey, CoalescedWaiter<Output>, CoalescedWork<Progress>> { get set }
  nonisolated var timeline: Timeline { get }
  nonisolated var events: EventHub { get }

  /// Returns the time for which the work for `key` may continue after its last waiter, of `priority`, has left; nil to cancel
  /// it at once.
  nonisolated func grace(for key: FlightKey, _ progress: Progress, _ priority: Priority) -> Duration?
}

/// One caller of a coalesced load: the cell of its result.
typealias CoalescedWaiter<Output: Sendable> = OneShot<Result<Output, LoadError>>

/// The progress of coalesced work. One for each flight, shared by its waiters.
protocol FlightProgress: Sendable {
  init()
  /// Records a new waiter. Returns false when the work has stopped because it had none.
  func noteJoined() -> Bool
  /// The details of the failed work; nil while it runs and after success.
  var failure: FailedFetch? { get }
}

extension FlightProgress {
  func noteJoined() -> Bool { true }
  var failure: FailedFetch? { nil }
}

/// The running work for the waiters of one key.
struct CoalescedWork<Progress: FlightProgress>: Sendable {
  let task: Task<Void, Never>
  let priority: LivePriority
  let progress: Progress
  /// Cancels the work some time after its last waiter has left.
  let alarm: DelayedTask
}

extension Coalescing {
  nonisolated func grace(for key: FlightKey, _ progress: Progress, _ priority: Priority) -> Duration? { nil }

  /// Returns the outcome of `load` for `key`, which runs once for all concurrent callers.
  ///
  /// - Parameters:
  ///   - live: The priority of the caller's own work, when that may change while it waits.
  ///   - deadline: The time after which this caller leaves; nil for none.
  ///   - watch: Called with the progress of the work that the caller joins or starts, before it waits.
  /// - Throws: The error of `load`, the same for all callers; ``LoadError/cancelled`` at once when this caller's task is
  ///   cancelled; ``LoadError/Kind/timeout`` at its deadline.
  nonisolated func coalesce(
    _ key: FlightKey, priority: Priority, live: LivePriority? = nil, deadline: Duration? = nil,
    watch: (@Sendable (Progress) -> Void)? = nil,
    load: @escaping @Sendable (LivePriority, Progress) async throws(LoadError) -> Output
  ) async throws(LoadError) -> Output {
    let waiter = CoalescedWaiter<Output>()
    let alarm = deadline.map { limit in
      timeline.spawn { [timeline] in
        do { try await timeline.sleep(for: limit) } catch { return }
        if waiter.settle(.failure(.missed(deadline: limit))) { await self.leave(key, waiter) }
      }
    }
    defer { alarm?.cancel() }
    let result = await withTaskCancellationHandler {
      // Before the join: the join reads earlier changes, and the listener gets later ones.
      live?.listen { [timeline] in
        timeline.spawn { await self.reprioritize(key, waiter, as: live) }
      }
      await join(key, waiter, priority: priority, live: live, watch: watch, load: load)
      return await waiter.value
    } onCancel: {
      if waiter.settle(.failure(.cancelled)) {
        timeline.spawn { await self.leave(key, waiter) }
      }
    }
    live?.listen(nil)
    return try result.get()
  }

  private func join(
    _ key: FlightKey, _ waiter: CoalescedWaiter<Output>, priority: Priority, live: LivePriority?,
    watch: (@Sendable (Progress) -> Void)?,
    load: @escaping @Sendable (LivePriority, Progress) async throws(LoadError) -> Output
  ) {
    // A caller that was cancelled earlier has its result, and its `leave` may already have run without effect.
    if waiter.isSettled { return }
    let priority = live?.current ?? priority
    func begin(_ flight: UInt64) {
      let (shared, progress) = (LivePriority(priority), Progress())
      watch?(progress)
      inFlight.attach(start(key, flight, shared, progress, load), to: key, flight: flight)
    }
    switch inFlight.join(key, waiter, priority: priority) {
    case .joined(let work, let change):
      work?.alarm.set(nil)
      if work?.progress.noteJoined() == false { return begin(inFlight.renew(key)) }
      change?.apply()
      if let watch, let work { watch(work.progress) }
      events.emit(.joined)
    case .start(let flight): begin(flight)
    }
  }

  /// Starts the work of a flight. It runs off the actor, which guards only the table, so that flights never wait for each
  /// other.
  private nonisolated func start(
    _ key: FlightKey, _ flight: UInt64, _ priority: LivePriority, _ progress: Progress,
    _ load: @escaping @Sendable (LivePriority, Progress) async throws(LoadError) -> Output
  ) -> CoalescedWork<Progress> {
    let alarm = DelayedTask()
    let task = timeline.spawn(priority: priority.current.taskPriority) { [self] in
      let result: Result<Output, LoadError>
      do throws(LoadError) { result = .success(try await load(priority, progress)) } catch {
        result = .failure(error)
      }
      await finish(key, flight: flight, alarm, with: result)
    }
    return CoalescedWork(task: task, priority: priority, progress: progress, alarm: alarm)
  }

  private func leave(_ key: FlightKey, _ waiter: CoalescedWaiter<Output>) {
    switch inFlight.leave(key, waiter) {
    case .nothing: break
    case .lower(let change): change.apply()
    case .last(let work, let flight):
      guard let grace = grace(for: key, work.progress, work.priority.current) else {
        return abandon(key, flight: flight)
      }
      // Work with waiters comes first.
      InFlightTable<FlightKey, CoalescedWaiter<Output>, CoalescedWork<Progress>>
        .Change(work: work, priority: .prefetch).apply()
      work.alarm.set(
        timeline.spawn { [timeline] in
          do {
            try await timeline.sleep(for: grace)
            self.abandon(key, flight: flight)
          } catch {}
        })
    }
  }

  private func abandon(_ key: FlightKey, flight: UInt64) {
    inFlight.abandon(key, flight: flight)?.task.cancel()
  }

  private func reprioritize(_ key: FlightKey, _ waiter: CoalescedWaiter<Output>, as live: LivePriority?) {
    guard let live else { return }
    inFlight.reprioritize(key, waiter, to: live.current)?.apply()
  }

  private func finish(
    _ key: FlightKey, flight: UInt64, _ alarm: DelayedTask, with result: Result<Output, LoadError>
  ) {
    alarm.set(nil)
    for waiter in inFlight.finish(key, flight: flight) { waiter.settle(result) }
  }
}

extension InFlightTable.Change {
  fileprivate func apply<Progress>() where Work == CoalescedWork<Progress> {
    work.priority.change(to: priority)
    // The priority of a running task can only be raised; the gates, which follow `work.priority`, also lower it.
    work.task.escalatePriority(to: priority.taskPriority)
  }
}
