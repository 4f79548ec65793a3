internal import Cellophane
internal import Synchronization

/// Delays new loads so that a run loads at most a number of bytes per second, on average.
///
/// The bytes of a load are known at its end, so the loads in progress may exceed the rate for a moment. The next loads
/// then wait for longer.
final class BytePacer: Sendable {
  private let bytesPerSecond: Double
  private let timeline: Timeline
  private let next: Mutex<Duration>

  init(bytesPerSecond: Double, timeline: Timeline) {
    (self.bytesPerSecond, self.timeline) = (bytesPerSecond, timeline)
    next = Mutex(timeline.now)
  }

  /// Counts `bytes` that were loaded.
  func note(_ bytes: Int) {
    next.withLock { $0 = max($0, timeline.now) + .seconds(Double(bytes) / bytesPerSecond) }
  }

  /// Waits until the loaded bytes are within the rate, or until the task is cancelled.
  func wait() async {
    while true {
      let pause = next.withLock(\.self) - timeline.now
      guard pause > .zero, (try? await timeline.sleep(for: pause)) != nil else { return }
    }
  }
}
