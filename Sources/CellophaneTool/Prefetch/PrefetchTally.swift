internal import Cellophane
internal import Synchronization

/// Counts results as they end, writes them down, and shows the progress.
final class PrefetchTally: Sendable {
  private struct State {
    var summary = PrefetchSummary()
    var nextNews = Duration.zero
  }

  private let state = Mutex(State())
  private let showsProgress: Bool
  private let results: ResultFile?
  private let timeline = Timeline()

  init(showsProgress: Bool, results: ResultFile?) {
    self.showsProgress = showsProgress
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
    try results?.close()
  }
}
