internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

/// Tells how far a batch is: on a terminal in a line that is written over, elsewhere in a line now and then.
struct PrefetchNews: Sendable {
  private let isLive: Bool
  private let say: @Sendable (String) -> Void

  /// Nil when nobody wants to know.
  init?(isQuiet: Bool) {
    if isQuiet { return nil }
    let isLive = Output.isTerminal
    self.init(isLive: isLive) { text in
      if isLive { Output.transient(text) } else { Output.note(text) }
    }
  }

  init(isLive: Bool, say: @escaping @Sendable (String) -> Void) {
    self.isLive = isLive
    self.say = say
  }

  /// As long as a line may be; nil for any length. What is longer than a terminal is wide goes into a second line, which
  /// is not written over.
  var columns: Int? { isLive ? max(1, (Platform.terminalSize?.columns ?? 80) - 1) : nil }

  /// Makes room for other lines.
  func clear() { if isLive { Output.transient("") } }

  /// Tells what `text` says, again and again while `work` runs: five times a second on a terminal, which is as fast as
  /// anybody reads; every ten seconds elsewhere, which is 400 lines an hour.
  func follow<Value: Sendable>(
    on timeline: Timeline, _ text: @escaping @Sendable () -> String, while work: () async -> Value
  ) async -> Value {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await timeline.sleep(for: isLive ? .milliseconds(200) : .seconds(10))) != nil {
          say(text())
        }
      }
      let value = await work()
      group.cancelAll()
      return value
    }
  }
}
