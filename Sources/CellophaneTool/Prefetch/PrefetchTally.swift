internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

/// Counts results as they end, writes them down, and shows the first failures.
final class PrefetchTally: Sendable {
  private struct State {
    var summary = BatchSummary()
    var pace = BatchPace()
  }

  // 20: about a screen of lines; who wants all of them takes --jsonl.
  private static let failuresShown = 20

  private let state = Mutex(State())
  private let showsFailures: Bool
  private let results: ResultFile?
  private let news: PrefetchNews?
  private let timeline: Timeline

  /// A tally; failures are shown unless they stand in `results`.
  init(isQuiet: Bool, results: ResultFile?, timeline: Timeline) {
    self.timeline = timeline
    news = PrefetchNews(isQuiet: isQuiet)
    showsFailures = !isQuiet && results == nil
    self.results = results
  }

  var summary: BatchSummary {
    var summary = state.withLock(\.summary)
    summary.duration_ms = timeline.now.milliseconds
    return summary
  }

  /// True once nobody reads the results any more.
  var hasNoReader: Bool { results?.hasNoReader ?? false }

  /// Takes a result; false once they cannot be written any more.
  func record(_ result: BatchResult) -> Bool {
    results?.write(result, on: timeline)
    state.withLock { state in
      state.summary.count(result)
      if showsFailures, let error = result.failure?.error, state.summary.failed <= Self.failuresShown {
        news?.clear()
        Output.error("\(error.kind): \(error.message(naming: result.url)) (line \(result.index))")
      }
    }
    return results?.isWritable ?? true
  }

  /// Tells how far it is, while `work` makes `progress`.
  func follow<Value: Sendable>(_ progress: BatchProgress, while work: () async -> Value) async -> Value {
    guard let news else { return await work() }
    return await news.follow(
      on: timeline, { self.line(of: progress).text(columns: news.columns) }, while: work)
  }

  /// Writes down every result that was recorded.
  func flush() { results?.flush() }

  /// Ends the progress line and the results.
  ///
  /// - Parameter isWhole: The list was gone through to its end, so that these are its results though they be none.
  func close(isWhole: Bool) throws(LoadError) {
    news?.clear()
    let unshown = state.withLock(\.summary.failed) - Self.failuresShown
    if showsFailures, unshown > 0 {
      Output.note("and \(unshown) lines more that failed; --jsonl writes down all")
    }
    try results?.close(isWhole: isWhole)
  }

  private func line(of progress: BatchProgress) -> PrefetchLine {
    let (share, now) = (progress.share, timeline.now)
    let (summary, pace) = state.withLock { state in
      state.pace.note(lines: state.summary.lines, bytes: state.summary.fetchedBytes, share: share, at: now)
      return (state.summary, state.pace)
    }
    return PrefetchLine(summary, pace, share: share, progress.restraints)
  }
}
