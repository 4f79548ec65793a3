internal import Synchronization

/// The playback of a slot's value. Belongs to the actor of the slot, which a running playback does not retain.
final class SlotPlayer<Value: Sendable> {
  private let timeline: Timeline
  private let gate = PlaybackGate()
  private var work: Task<Void, Never>?
  private var show: (Value) -> Void = { _ in }
  /// The number of playbacks so far.
  private var number = 0

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// Whether the playback waits before its next value.
  var isPaused: Bool {
    get { gate.isPaused }
    set { gate.isPaused = newValue }
  }

  /// Shows the values of `playback` except the first one, which is shown already. Replaces the previous playback. An error
  /// ends it.
  func play(
    _ playback: (any AsyncSequence<Value, LoadError> & Sendable)?, isolation: isolated any Actor,
    show: @escaping (Value) -> Void
  ) {
    stop()
    guard let playback else { return }
    self.show = show
    work = Self.start(
      playback, for: OwnedReference(self, isolation: isolation), number: number, behind: gate, on: timeline)
  }

  /// Ends the playback.
  func stop() {
    work?.cancel()
    work = nil
    number += 1
  }

  /// Starts the task outside of the actor.
  private nonisolated static func start(
    _ playback: any AsyncSequence<Value, LoadError> & Sendable, for player: OwnedReference<SlotPlayer>,
    number: Int, behind gate: PlaybackGate, on timeline: Timeline
  ) -> Task<Void, Never> {
    timeline.spawn {
      var values: any AsyncIteratorProtocol<Value, LoadError> = playback.makeAsyncIterator()
      guard (try? await values.next(isolation: nil)) != nil else { return }
      while let value = try? await values.next(isolation: nil) {
        await gate.pass()
        let isPlaying = await player.run { player, _ in
          guard player.number == number else { return false }
          player.show(value)
          return true
        }
        if !isPlaying { return }
      }
    }
  }
}

/// A gate that is closed during a pause.
private final class PlaybackGate: Sendable {
  private struct State {
    var isPaused = false
    // Several: the task of a replaced playback may still wait.
    var waiters: [OneShot<Void>] = []
  }

  private let state = Mutex(State())

  var isPaused: Bool {
    get { state.withLock(\.isPaused) }
    set {
      let waiters = state.withLock { state -> [OneShot<Void>] in
        state.isPaused = newValue
        guard !newValue else { return [] }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.settle(()) }
    }
  }

  /// Waits for the end of a pause, or for the cancellation of the task.
  func pass() async {
    while !Task.isCancelled {
      let opening = OneShot<Void>()
      let isPaused = state.withLock { state in
        if state.isPaused { state.waiters = state.waiters.filter { !$0.isSettled } + [opening] }
        return state.isPaused
      }
      if !isPaused { return }
      await withTaskCancellationHandler {
        await opening.value
      } onCancel: {
        opening.settle(())
      }
    }
  }
}
