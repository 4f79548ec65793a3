internal import Cellophane
internal import Synchronization

/// The cores that decode in a run in virtual time: as many at once as there are, first come first served.
final class ModelledProcessor: Sendable {
  private struct State {
    var free: Int
    var queue: [OneShot<Bool>] = []
    var begun = 0
  }

  private let state: Mutex<State>
  private let timeline: Timeline

  /// A processor of `cores`, all idle.
  init(cores: Int, timeline: Timeline) {
    state = Mutex(State(free: cores))
    self.timeline = timeline
  }

  /// Takes a core for `duration`, as soon as there is one, to decode `picture`; tells `observers`. A task that is
  /// cancelled gives it back at once.
  ///
  /// - Throws: ``LoadError/cancelled``.
  func work(
    for duration: Duration, on picture: PictureIdentity, _ observers: RunObservers
  ) async throws(LoadError) {
    let turn = OneShot<Bool>()
    state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        turn.settle(true)
      } else {
        state.queue.append(turn)
      }
    }
    let hasCore = await withTaskCancellationHandler {
      await turn.value
    } onCancel: {
      if turn.settle(false) { state.withLock { $0.queue.removeAll { $0 === turn } } }
    }
    guard hasCore else { throw .cancelled }
    defer { leave() }
    let number = state.withLock { state in
      state.begun += 1
      return state.begun - 1
    }
    observers.note(.decodingBegan(number, of: picture))
    do { try await timeline.sleep(for: duration) } catch {
      observers.note(.decodingEnded(number, isWhole: false))
      throw .cancelled
    }
    observers.note(.decodingEnded(number, isWhole: true))
  }

  private func leave() {
    state.withLock { state in
      while !state.queue.isEmpty {
        // One who was cancelled in this very moment does not take it.
        if state.queue.removeFirst().settle(true) { return }
      }
      state.free += 1
    }
  }
}
