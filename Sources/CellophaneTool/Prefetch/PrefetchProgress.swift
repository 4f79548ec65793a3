internal import Cellophane
internal import CellophaneBatch
internal import CellophaneBrowser
internal import Synchronization

/// Prints the progress of a batch: on a terminal in one line that is overwritten, otherwise as a new line at intervals.
struct PrefetchProgress: Sendable {
  private let isLive: Bool
  private let print: @Sendable (String) -> Void

  /// Nil if `isQuiet`.
  init?(isQuiet: Bool) {
    if isQuiet { return nil }
    let isLive = Output.isTerminal
    self.init(isLive: isLive) { text in
      if isLive { Output.transient(text) } else { Output.note(text) }
    }
  }

  init(isLive: Bool, print: @escaping @Sendable (String) -> Void) {
    self.isLive = isLive
    self.print = print
  }

  /// The maximum length of a line; nil for no limit. A line longer than the terminal would continue in a second line,
  /// which is not overwritten. Three columns are free: for the cursor, and for the `^C` that the terminal shows.
  var columns: Int? { isLive ? max(1, (Platform.terminalSize?.columns ?? 80) - 3) : nil }

  /// Clears the line, so that other lines can be printed.
  func clear() { if isLive { Output.transient("") } }

  /// Prints `text` at intervals while `work` runs: five times a second on a terminal, as fast as people read; otherwise
  /// every ten seconds, 400 lines an hour.
  func follow<Value: Sendable>(
    on timeline: Timeline, _ text: @escaping @Sendable () -> String, while work: () async -> Value
  ) async -> Value {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await timeline.sleep(for: isLive ? .milliseconds(200) : .seconds(10))) != nil {
          print(text())
        }
      }
      let value = await work()
      group.cancelAll()
      return value
    }
  }
}
