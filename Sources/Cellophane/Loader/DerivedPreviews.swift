internal import Synchronization

/// Derives the previews of a base while a value is derived from the base.
final class DerivedPreviews<Value: Sendable>: Sendable {
  private struct State {
    var viewer: Viewer<Value>?
    var end: (@Sendable () -> Void)?
    var hasEnded = false
  }

  private let state = Mutex(State())

  init() {}

  /// Calls `derive` with the previews of `base`, one at a time. A preview that arrives while it runs
  /// replaces one that waits.
  func begin(
    of base: ValueFlight<Value>, on timeline: Timeline,
    derive: @escaping @Sendable (Value) async -> Void
  ) {
    let (previews, stream) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let viewer = Viewer<Value> { _ = stream.yield($0) }
    let begins = state.withLock { state in
      guard !state.hasEnded, state.viewer == nil else { return false }
      (state.viewer, state.end) = (viewer, { stream.finish() })
      return true
    }
    guard begins else { return }
    viewer.watch(base)
    if state.withLock({ $0.hasEnded }) { viewer.leave() }
    timeline.spawn {
      for await preview in previews { await derive(preview) }
    }
  }

  /// Stops. A preview that is being derived is still delivered.
  func end() {
    let (viewer, end) = state.withLock { state in
      state.hasEnded = true
      return (state.viewer.take(), state.end.take())
    }
    viewer?.leave()
    end?()
  }
}
