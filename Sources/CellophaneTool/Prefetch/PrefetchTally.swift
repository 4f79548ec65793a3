internal import Cellophane
internal import Synchronization

/// Counts results as they end, writes them down, and shows the progress.
final class PrefetchTally: Sendable {
  private struct State {
    var summary = PrefetchSummary()
    var nextNews = Duration.zero
  }

  private let state = Mutex(State())
  // 20: about a screen of lines; who wants all of them takes --jsonl.
  private static let failuresShown = 20

  private let showsProgress: Bool
  private let showsFailures: Bool
  private let results: ResultFile?
  private let timeline = Timeline()

  /// A tally; failures are shown unless they stand in `results`.
  init(isQuiet: Bool, results: ResultFile?) {
    showsProgress = !isQuiet && Output.showsProgress
    showsFailures = !isQuiet && results == nil
    self.results = results
  }

  var summary: PrefetchSummary {
    var summary = state.withLock { $0.summary }
    summary.duration_ms = timeline.now.milliseconds
    return summary
  }

  func record(_ result: PrefetchResult) {
    results?.write(result)
    let now = timeline.now
    let news = state.withLock { state -> PrefetchSummary? in
      state.summary.count(result)
      if showsFailures, let error = result.error, state.summary.failed <= Self.failuresShown {
        if showsProgress { Output.transient("") }
        Output.error("\(error.kind): \(error.message(naming: result.url)) (line \(result.index))")
      }
      guard showsProgress, now >= state.nextNews else { return nil }
      // Ten times a second is as often as one can read it.
      state.nextNews = now + .milliseconds(100)
      return state.summary
    }
    guard let news else { return }
    let rate = Int(Double(news.lines) / max(now / .seconds(1), 0.001))
    Output.transient(
      "\(news.lines) lines  \(rate)/s  \(Text.bytes(news.fetchedBytes))"
        + (news.failed > 0 ? "  \(news.failed) failed" : ""))
  }

  /// Ends the progress line and the results.
  func close() throws(LoadError) {
    if showsProgress { Output.transient("") }
    let unshown = state.withLock { $0.summary.failed } - Self.failuresShown
    if showsFailures, unshown > 0 {
      Output.note("and \(unshown) lines more that failed; --jsonl writes down all")
    }
    try results?.close()
  }
}
