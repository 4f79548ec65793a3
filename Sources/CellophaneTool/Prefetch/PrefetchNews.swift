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
      guard isLive else { return Output.note(text) }
      // What is longer goes into a second line, which is not written over.
      Output.transient(String(text.prefix((Platform.terminalSize?.columns ?? 80) - 1)))
    }
  }

  init(isLive: Bool, say: @escaping @Sendable (String) -> Void) {
    self.isLive = isLive
    self.say = say
  }

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

  /// `duration`, in whole seconds, a part of one counted as one.
  private static func seconds(_ duration: Duration) -> Duration {
    .seconds((duration / .seconds(1)).rounded(.up))
  }

  /// How far a batch is, in one line.
  static func text(_ summary: BatchSummary, _ pace: BatchPace, share: Double?) -> String {
    var parts = ["\(Text.count(summary.lines)) lines"]
    if let rate = pace.linesPerSecond {
      // Below ten a second the tenths tell something.
      parts.append((rate < 10 ? Text.decimal(rate) : Text.count(Int(rate))) + "/s")
    }
    if summary.fetchedBytes > 0 {
      let rate = pace.bytesPerSecond.map { " (\(Text.bytes(Int($0)))/s)" } ?? ""
      parts.append(Text.bytes(summary.fetchedBytes) + rate)
    }
    if let share {
      // Up to the next second: nothing is left only when there is nothing to wait for.
      let left = share < 1 ? pace.left.map { ", \(Self.seconds($0).inWords) left" } ?? "" : ""
      parts.append("\(Int(min(1, share) * 100)) %" + left)
    }
    if summary.failed > 0 {
      let kinds = summary.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let worst = summary.failureHosts.worst.prefix(2).map { "\($0.host) \($0.failures)" }
      parts.append(
        "\(Text.count(summary.failed)) failed: "
          + kinds.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
          + (worst.isEmpty ? "" : "; most at " + worst.joined(separator: ", ")))
    }
    return parts.joined(separator: "  ")
  }
}
