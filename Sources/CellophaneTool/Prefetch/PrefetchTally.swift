internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

/// Counts the results of a batch, writes them to the result file, and prints the first failures.
final class PrefetchTally: Sendable {
  private struct State {
    var summary = BatchSummary()
    var pace = BatchPace()
    /// The bodies that may be truncated.
    var closeDelimited = 0
    /// The printed advice.
    var advised: Set<String> = []
  }

  // 20: about a screen of lines. `--jsonl` lists all failures.
  private static let failuresShown = 20

  private let state = Mutex(State())
  private let isQuiet: Bool
  private let showsFailures: Bool
  private let results: ResultFile?
  private let unit: String
  private let advice: @Sendable (ErrorReport) -> String?
  private let progress: PrefetchProgress?
  private let timeline: Timeline

  /// Creates a tally. It prints failures only without `results`.
  ///
  /// - Parameters:
  ///   - unit: The name of the places in the list that results count.
  ///   - advice: Returns the remedy for an error. It is printed once, with the first of the errors that it helps.
  init(
    isQuiet: Bool, results: ResultFile?, unit: String, timeline: Timeline,
    advice: @escaping @Sendable (ErrorReport) -> String?
  ) {
    self.timeline = timeline
    self.unit = unit
    self.advice = advice
    self.isQuiet = isQuiet
    progress = PrefetchProgress(isQuiet: isQuiet)
    showsFailures = !isQuiet && results == nil
    self.results = results
  }

  var summary: BatchSummary {
    var summary = state.withLock(\.summary)
    summary.duration_ms = timeline.now.milliseconds
    return summary
  }

  /// True after the reader of the results has closed its pipe.
  var hasNoReader: Bool { results?.hasNoReader ?? false }

  /// Records a result; returns false once results can no longer be written.
  func record(_ result: BatchResult) -> Bool {
    results?.write(result, on: timeline)
    state.withLock { state in
      state.summary.count(result)
      // A decoded image is complete.
      if result.isCloseDelimited, result.width == nil, result.failure == nil { state.closeDelimited += 1 }
      // A list can have many opted-out images, which are no mistake of the list.
      if showsFailures, result.outcome == .failed, let error = result.failure?.error,
        state.summary.failed <= Self.failuresShown
      {
        let advice = advice(error).flatMap { state.advised.insert($0).inserted ? $0 : nil }
        progress?.clear()
        Output.error(
          "\(error.kind): \(unit) \(result.index): \(error.adding(advice).message(naming: result.url))")
      }
    }
    return results?.isWritable ?? true
  }

  /// Prints the progress while `work` runs.
  func follow<Value: Sendable>(_ batch: BatchProgress, while work: () async -> Value) async -> Value {
    guard let progress else { return await work() }
    return await progress.follow(
      on: timeline, { self.statusLine(of: batch).text(columns: progress.columns) }, while: work)
  }

  /// Writes all recorded results to the result file.
  func flush() { results?.flush() }

  /// Ends the progress line and the result file.
  ///
  /// - Parameter isComplete: True if the list was read to its end. Then the file is replaced even by no results.
  func close(isComplete: Bool) throws(LoadError) {
    progress?.clear()
    let hidden = state.withLock(\.summary.failed) - Self.failuresShown
    if showsFailures, hidden > 0 {
      Output.note("... and \(Text.count(hidden)) more failures; list all of them with --jsonl")
    }
    let truncatable = state.withLock(\.closeDelimited)
    if truncatable > 0, !isQuiet {
      Output.note(
        """
        bodies that ended with the connection, without a length, and may be truncated: \(Text.count(truncatable)); \
        --jsonl marks them (closeDelimited)
        """)
    }
    try results?.close(isComplete: isComplete)
  }

  private func statusLine(of batch: BatchProgress) -> PrefetchStatusLine {
    let (share, now) = (batch.share, timeline.now)
    let (summary, pace) = state.withLock { state in
      state.pace.note(
        records: state.summary.records, bytes: state.summary.fetchedBytes, share: share, at: now)
      return (state.summary, state.pace)
    }
    return PrefetchStatusLine(summary, pace, share: share, batch.throttles, waits: batch.waits)
  }
}
