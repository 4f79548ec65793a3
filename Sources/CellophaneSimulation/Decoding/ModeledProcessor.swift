internal import Cellophane
internal import Synchronization

/// The cores for decoding in virtual time. Waiting decodings get a core in the order of their requests.
final class ModeledProcessor: Sendable {
  private struct State {
    var free: Int
    var queue: [OneShot<Bool>] = []
    var begun = 0
  }

  private let state: Mutex<State>
  private let timeline: Timeline

  /// Creates a processor with `cores` idle cores.
  init(cores: Int, timeline: Timeline) {
    state = Mutex(State(free: cores))
    self.timeline = timeline
  }

  /// Waits for a core, and uses it for `duration` to decode `picture`. Reports to `observers`. A cancelled
  /// task releases its core immediately.
  ///
  /// - Throws: ``LoadError/cancelled``.
  func work(
    for duration: Duration, on picture: PictureIdentity, _ observers: RunObservers
  ) async throws(LoadError) {
    let grant = OneShot<Bool>()
    state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        grant.settle(true)
      } else {
        state.queue.append(grant)
      }
    }
    let hasCore = await withTaskCancellationHandler {
      await grant.value
    } onCancel: {
      if grant.settle(false) { state.withLock { $0.queue.removeAll { $0 === grant } } }
    }
    guard hasCore else { throw .cancelled }
    defer { release() }
    let number = state.withLock { state in
      state.begun += 1
      return state.begun - 1
    }
    observers.note(.decodingBegan(number, of: picture))
    do { try await timeline.sleep(for: duration) } catch {
      observers.note(.decodingEnded(number, isComplete: false))
      throw .cancelled
    }
    observers.note(.decodingEnded(number, isComplete: true))
  }

  private func release() {
    state.withLock { state in
      while !state.queue.isEmpty {
        // A task that was cancelled at the same time does not take the core.
        if state.queue.removeFirst().settle(true) { return }
      }
      state.free += 1
    }
  }
}
