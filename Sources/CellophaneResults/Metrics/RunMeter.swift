internal import Synchronization

/// The observer of a run that measures it with a ``RunTally``.
package final class RunMeter: RunObserver {
  private let state: Mutex<RunTally>
  /// True if the series is kept, because it needs the time of each arrival of bytes, not only the ends of
  /// transfers.
  package let needsProgress: Bool

  /// Creates a meter that adds to `tally`.
  package init(_ tally: RunTally) {
    needsProgress = tally.seriesTally != nil
    state = Mutex(tally)
  }

  package func note(_ event: RunEvent, at time: Duration) { state.withLock { $0.note(event, at: time) } }

  /// Returns the measurements after the last frame left the screen at vsync `end`.
  package func finish(at end: Int) -> RunTally {
    state.withLock { tally in
      tally.finish(at: end)
      return tally
    }
  }
}
