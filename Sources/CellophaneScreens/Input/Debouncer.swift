public import Cellophane

/// Does something once it has not been asked to for a while, for code that is no async sequence; see also
/// ``_Concurrency/AsyncSequence/debounce(for:on:)``.
///
/// Not `Sendable`: it belongs to the actor that made it, and calls actions in its isolation. When it goes, what waits is
/// cancelled.
public final class Debouncer {
  private let interval: Duration
  private let timeline: Timeline
  private let wait: LatestTask
  private var action: (() -> Void)?

  /// Nothing waits yet. Actions wait for `interval` after the last ``schedule(isolation:_:)``.
  public init(for interval: Duration, timeline: Timeline = Timeline()) {
    self.interval = interval
    self.timeline = timeline
    wait = LatestTask(timeline: timeline)
  }

  /// True while an action waits.
  public var isPending: Bool { action != nil }

  /// Calls `action` in `interval` from now, in place of the one that waits.
  public func schedule(isolation: isolated any Actor = #isolation, _ action: @escaping () -> Void) {
    self.action = action
    // Counted from here, however late the task begins.
    let due = timeline.now + interval
    wait.run(isolation: isolation) { [timeline] in
      try await timeline.sleep(for: due - timeline.now)
    } onResult: { [weak self] result in
      if case .success = result { self?.flush() }
    }
  }

  /// Calls the action that waits, if there is one, now and not later.
  public func flush() {
    guard let action else { return }
    cancel()
    action()
  }

  /// Drops the action that waits.
  public func cancel() {
    wait.cancel()
    action = nil
  }
}
