internal import Synchronization

/// Measures a run: the ``RunTally`` among those who listen to it.
final class RunMeter: RunObserver {
  private let state: Mutex<RunTally>
  /// The series tells when bytes came, not only when transfers ended.
  let wantsProgress: Bool

  /// A meter that adds to `tally`.
  init(_ tally: RunTally) {
    wantsProgress = tally.seriesTally != nil
    state = Mutex(tally)
  }

  func note(_ event: RunEvent, at time: Duration) { state.withLock { $0.note(event, at: time) } }

  /// What was measured, when the last frame has left the screen at vsync `end`.
  func finish(at end: Int) -> RunTally {
    state.withLock { tally in
      tally.finish(at: end)
      return tally
    }
  }
}
