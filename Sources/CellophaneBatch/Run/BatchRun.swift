internal import Cellophane

/// A run over a list with a number of concurrent workers.
package struct BatchRun: Sendable {
  /// Receives each result, on any thread. Returns false if no more results are wanted.
  package typealias ResultHandler = @Sendable (BatchResult) -> Bool

  /// The result of one worker.
  private struct WorkerResult {
    var isWanted = true
    /// True for the end of the time of the run.
    var isTimeout = false
    /// The number of records of other shards.
    var otherShards = 0
  }

  /// The longest pause of a host for which records wait. Two minutes cover a limit of requests per minute.
  /// The records of a host that is down for longer fail with the time to retry.
  private static let longestPause = Duration.seconds(120)

  package let progress: BatchProgress
  private let source: ListSource
  private let work: BatchWork
  private let limits: BatchLimits
  private let pacer: BytePacer?
  private let onResult: ResultHandler
  private let ordered: OrderedResults?

  /// - Parameters:
  ///   - limits: The limits of the run.
  ///   - isOrdered: Whether results are delivered in the order of the list; see ``ResultOrder`` for the maximum distance
  ///     between records.
  package init(
    _ source: ListSource, _ work: BatchWork, _ limits: BatchLimits = BatchLimits(), isOrdered: Bool = false,
    onResult: @escaping ResultHandler
  ) {
    self.source = source
    progress = BatchProgress(source, work.bytes)
    self.work = work
    self.limits = limits
    pacer = limits.bytesPerSecond.map { BytePacer(bytesPerSecond: $0, timeline: work.timeline) }
    self.onResult = onResult
    ordered = isOrdered ? OrderedResults(onResult: onResult) : nil
  }

  /// Loads until the list ends, the task is cancelled, or no more results are wanted. Cancelled records have
  /// no result. Runs `jobs` tasks, for any number of records.
  ///
  /// - Returns: The number of records of other shards.
  package func run(jobs: Int) async -> Int {
    let scheduler = HostScheduler(
      source, perHost: min(limits.perHost ?? jobs, jobs), tries: limits.tries, rate: limits.rate,
      timeline: work.timeline, claim: work.claim
    ) { [ordered] in ordered?.admits($0) ?? true }
    progress.follow(scheduler)
    defer { progress.follow(nil) }
    let otherShards = await withTaskGroup(of: WorkerResult.self) { group in
      for _ in 0..<jobs {
        // As in `Timeline.spawn`, and for the same reason.
        if let executor = work.timeline.executor {
          group.addTask(executorPreference: executor) { await processRecords(of: scheduler) }
        } else {
          group.addTask { await processRecords(of: scheduler) }
        }
      }
      if let time = limits.time {
        group.addTask { [timeline = work.timeline] in
          let isOver = (try? await timeline.sleep(for: time)) != nil
          return WorkerResult(isWanted: !isOver, isTimeout: true)
        }
      }
      var (otherShards, running) = (0, jobs)
      while let worker = await group.next() {
        otherShards += worker.otherShards
        if worker.isTimeout { if !worker.isWanted { progress.endTime() } } else { running -= 1 }
        if !worker.isWanted || running == 0 { group.cancelAll() }
      }
      return otherShards
    }
    scheduler.close()
    work.backlog?.close()
    ordered?.finish()
    return otherShards
  }

  private func processRecords(of scheduler: HostScheduler) async -> WorkerResult {
    var worker = WorkerResult()
    while worker.isWanted {
      if let backlog = work.backlog, await !backlog.enter() { break }
      defer { work.backlog?.leave() }
      await pacer?.wait()
      guard let assignment = await scheduler.next() else { break }
      let ending =
        switch assignment.claim {
        case .load(let request):
          await work.ending(
            of: assignment.record, request, begun: assignment.begun, waited: assignment.waited,
            tries: limits.tries.map { $0 - assignment.previousAttempts })
        case .repeats(let repetition):
          await work.ending(of: assignment.record, repeating: repetition, begun: assignment.begun)
        case .finished(let ending): ending
        }
      switch ending {
      case .result(var result, let item):
        var signals = result.signals(of: assignment)
        let origin = assignment.origin
        if let origin, signals.isAnswer, assignment.host == assignment.ownHost {
          signals.endsPause = work.bytes.circuitRemaining(of: origin) == nil
        }
        // The circuit may have closed since the failure, because the host responded to another record.
        let pause = result.pause.map { _ in
          (result.redirectedOrigin ?? origin).flatMap(work.bytes.circuitRemaining(of:)) ?? .zero
        }
        if signals.refusingHost != nil, pause ?? .zero <= Self.longestPause,
          scheduler.retry(assignment, signals, after: pause, attempts: result.attempts ?? 0)
        {
          continue
        }
        if let pacer, result.outcome == .fetched, let bytes = result.bytes { pacer.note(bytes) }
        result.add(attempts: assignment.previousAttempts)
        result.politenessReport = scheduler.finish(assignment, signals, after: pause)
        worker.isWanted = deliver(result)
        if case .load(let request) = assignment.claim {
          for repeated in await work.finish(assignment.record, request, result, item) {
            worker.isWanted = deliver(repeated)
          }
        }
      case .waits: break
      case .otherShard:
        worker.otherShards += 1
        if let ordered { worker.isWanted = ordered.take(nil, at: assignment.record.position) }
        progress.end()
      case .cancelled: scheduler.finish(assignment, HostScheduler.Signals())
      }
    }
    return worker
  }

  /// Delivers a result. Returns false if no more results are wanted.
  private func deliver(_ result: BatchResult) -> Bool {
    defer { progress.end() }
    return ordered?.take(result, at: result.position) ?? onResult(result)
  }
}
