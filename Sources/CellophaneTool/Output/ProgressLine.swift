internal import Cellophane
internal import Synchronization

/// A progress line on a terminal, which is cleared at the end.
final class ProgressLine: Sendable {
  private let timeline = Timeline()
  private let nextUpdate = Mutex(Duration.zero)

  /// Nil if `isQuiet`, or if standard error is not a terminal that can overwrite a line.
  init?(isQuiet: Bool) {
    guard !isQuiet, Output.isTerminal else { return nil }
  }

  /// Shows `text`, unless the last update is less than 0.1 s ago. Faster updates cannot be read.
  func show(_ text: () -> String) {
    let now = timeline.now
    let isDue = nextUpdate.withLock { next in
      guard now >= next else { return false }
      next = now + .milliseconds(100)
      return true
    }
    if isDue { Output.transient(text()) }
  }

  /// Shows the number of completed items, and the percentage if the total is known.
  func show(_ done: Int, of total: Int?, _ items: String) {
    show {
      guard let total, total > 0 else { return "\(Text.count(done)) \(items)" }
      // Other processes may add items.
      let percent = min(100, Int(Double(done) / Double(total) * 100))
      return "\(Text.count(done)) of \(Text.count(total)) \(items), \(percent) %"
    }
  }

  /// Clears the line.
  func clear() { Output.transient("") }
}
