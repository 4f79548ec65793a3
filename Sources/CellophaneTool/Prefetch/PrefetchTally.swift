internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

/// Counts results as they end, writes them down, and shows the progress.
final class PrefetchTally: Sendable {
  private let state = Mutex(BatchSummary())
  // 20: about a screen of lines; who wants all of them takes --jsonl.
  private static let failuresShown = 20

  private let progress: ProgressLine?
  private let showsFailures: Bool
  private let results: ResultFile?
  private let timeline = Timeline()

  /// A tally; failures are shown unless they stand in `results`.
  init(isQuiet: Bool, results: ResultFile?) {
    progress = ProgressLine(isQuiet: isQuiet)
    showsFailures = !isQuiet && results == nil
    self.results = results
  }

  var summary: BatchSummary {
    var summary = state.withLock(\.self)
    summary.duration_ms = timeline.now.milliseconds
    return summary
  }

  /// True once nobody reads the results any more.
  var hasNoReader: Bool { results?.hasNoReader ?? false }

  /// Takes a result; false once nobody reads them any more.
  func record(_ result: BatchResult) -> Bool {
    results?.write(result)
    let summary = state.withLock { summary in
      summary.count(result)
      if showsFailures, let error = result.failure?.error, summary.failed <= Self.failuresShown {
        progress?.clear()
        Output.error("\(error.kind): \(error.message(naming: result.url)) (line \(result.index))")
      }
      return summary
    }
    progress?.show {
      let rate = Int(Double(summary.lines) / max(timeline.now / .seconds(1), 0.001))
      return "\(summary.lines) lines  \(rate)/s  \(Text.bytes(summary.fetchedBytes))"
        + (summary.failed > 0 ? "  \(summary.failed) failed" : "")
    }
    return !hasNoReader
  }

  /// Ends the progress line and the results.
  func close() throws(LoadError) {
    progress?.clear()
    let unshown = state.withLock(\.failed) - Self.failuresShown
    if showsFailures, unshown > 0 {
      Output.note("and \(unshown) lines more that failed; --jsonl writes down all")
    }
    try results?.close()
  }
}
