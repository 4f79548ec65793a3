public import Cellophane

/// A delay for actions: only the latest runs, once no other was scheduled for a while.
///
/// For code without async sequences; see also ``_Concurrency/AsyncSequence/debounce(for:on:)``.
///
/// Not `Sendable`: it belongs to the actor that created it, and calls actions in its isolation. Releasing it
/// cancels a pending action.
public final class Debouncer {
  private let interval: Duration
  private let timeline: Timeline
  private let wait: LatestTask
  private var action: (() -> Void)?

  /// Creates a debouncer without a pending action. An action runs `interval` after the last
  /// ``schedule(isolation:_:)``.
  public init(for interval: Duration, timeline: Timeline = Timeline()) {
    self.interval = interval
    self.timeline = timeline
    wait = LatestTask(timeline: timeline)
  }

  /// True while an action is pending.
  public var isPending: Bool { action != nil }

  /// Schedules `action` in `interval` from now. It replaces a pending action.
  public func schedule(isolation: isolated any Actor = #isolation, _ action: @escaping () -> Void) {
    self.action = action
    // Counted from the call, even if the task starts late.
    let due = timeline.now + interval
    wait.run(isolation: isolation) { [timeline] in
      try await timeline.sleep(for: due - timeline.now)
    } onResult: { [weak self] result in
      if case .success = result { self?.flush() }
    }
  }

  /// Runs the pending action now, if there is one.
  public func flush() {
    guard let action else { return }
    cancel()
    action()
  }

  /// Drops the pending action.
  public func cancel() {
    wait.cancel()
    action = nil
  }
}
