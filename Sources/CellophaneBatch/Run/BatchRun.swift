internal import Cellophane

/// Works off a list, so many lines at once.
package struct BatchRun: Sendable {
  /// Gets each result as it ends, from many threads; false when nobody wants more.
  package typealias Record = @Sendable (BatchResult) -> Bool

  /// What one of the jobs came to.
  private struct Share {
    var isWanted = true
    /// Lines of other shards.
    var elsewhere = 0
  }

  /// The longest pause of a host that is waited for. Two minutes: what asks for a limit of requests a minute is waited
  /// for, what is down for longer is not; its lines fail, and say when to come back.
  private static let longestPause = Duration.seconds(120)

  package let progress: BatchProgress
  private let source: ListSource
  private let work: BatchWork
  private let perHost: Int?
  private let record: Record
  private let ordered: OrderedResults?

  /// - Parameters:
  ///   - perHost: At most so many lines of one host at once; fewer while the host is in trouble (``HostLimit``). Nil for
  ///     as many as there are jobs.
  ///   - isOrdered: Hands results on in the order of the list; see ``ResultOrder`` for how far lines may then get
  ///     ahead of one another.
  package init(
    _ source: ListSource, _ work: BatchWork, perHost: Int? = nil, isOrdered: Bool = false,
    record: @escaping Record
  ) {
    self.source = source
    progress = BatchProgress(source, work.bytes)
    self.work = work
    self.perHost = perHost
    self.record = record
    ordered = isOrdered ? OrderedResults(record: record) : nil
  }

  /// Loads until the list ends, the task is cancelled, or nobody wants results; returns how many lines belonged to other
  /// shards. What was under way when it is cancelled is not reported. There are as many tasks as `jobs`, however many
  /// lines.
  package func run(jobs: Int) async -> Int {
    let turns = Turns(
      source, perHost: min(perHost ?? jobs, jobs), timeline: work.timeline, claim: work.claim
    ) { [ordered] in ordered?.admits($0) ?? true }
    progress.follow(turns)
    defer { progress.follow(nil) }
    let elsewhere = await withTaskGroup(of: Share.self) { group in
      for _ in 0..<jobs {
        // As `Timeline.spawn`, and for its reason.
        if let executor = work.timeline.executor {
          group.addTask(executorPreference: executor) { await workOff(turns) }
        } else {
          group.addTask { await workOff(turns) }
        }
      }
      var elsewhere = 0
      while let share = await group.next() {
        elsewhere += share.elsewhere
        if !share.isWanted { group.cancelAll() }
      }
      return elsewhere
    }
    turns.close()
    work.backlog?.close()
    ordered?.finish()
    return elsewhere
  }

  private func workOff(_ turns: Turns) async -> Share {
    var share = Share()
    while share.isWanted {
      if let backlog = work.backlog, await !backlog.enter() { break }
      defer { work.backlog?.leave() }
      guard let turn = await turns.next() else { break }
      let ending =
        switch turn.claim {
        case .load(let request):
          await work.ending(of: turn.record, request, begun: turn.begun, waited: turn.waited)
        case .over(let ending): ending
        }
      switch ending {
      case .result(var result):
        let signs = result.signs(of: turn)
        if signs.refuser != nil, result.pause ?? .zero <= Self.longestPause,
          turns.again(turn, signs, after: result.pause, attempts: result.attempts ?? 0)
        {
          continue
        }
        result.add(attempts: turn.formerAttempts)
        result.treatment = turns.finish(turn, signs)
        share.isWanted = ordered?.take(result, at: turn.record.position) ?? record(result)
        progress.end()
      case .elsewhere:
        share.elsewhere += 1
        if let ordered { share.isWanted = ordered.take(nil, at: turn.record.position) }
        progress.end()
      case .cancelled: turns.finish(turn, Turns.Signs())
      }
    }
    return share
  }
}
