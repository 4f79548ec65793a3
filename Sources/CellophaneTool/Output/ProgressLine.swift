internal import Cellophane
internal import Synchronization

/// A line on a terminal that tells how far something is, and goes when it is done.
final class ProgressLine: Sendable {
  private let timeline = Timeline()
  private let nextNews = Mutex(Duration.zero)

  /// Nil when nobody would see it: standard error is no terminal that can rewrite a line, or `isQuiet`.
  init?(isQuiet: Bool) {
    guard !isQuiet, Output.isTerminal else { return nil }
  }

  /// Shows `text`, unless there was something less than a tenth of a second ago: nobody reads faster.
  func show(_ text: () -> String) {
    let now = timeline.now
    let isDue = nextNews.withLock { next in
      guard now >= next else { return false }
      next = now + .milliseconds(100)
      return true
    }
    if isDue { Output.transient(text()) }
  }

  /// Shows how much of how much is done; without a total what is not known.
  func show(_ done: Int, of total: Int?, _ what: String) {
    show {
      guard let total, total > 0 else { return "\(Text.count(done)) \(what)" }
      // Others may add to it meanwhile.
      let percent = min(100, Int(Double(done) / Double(total) * 100))
      return "\(Text.count(done)) of \(Text.count(total)) \(what), \(percent) %"
    }
  }

  /// Makes room for other lines.
  func clear() { Output.transient("") }
}
