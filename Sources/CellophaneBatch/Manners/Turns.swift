package import Cellophane
internal import Synchronization

/// Gives the lines of a list to those who work them off, so many a host at once. Reads on only while somebody has
/// nothing to do, and not farther than ``window`` lines ahead.
package final class Turns: Sendable {
  /// A line whose turn has come. Whoever gets one says by ``finish(_:sign:)`` or ``again(_:after:)`` that it is over.
  package struct Turn: Sendable {
    package let record: ListRecord
    /// How often it had its turn before.
    package let formerTries: Int
    fileprivate let host: String
    fileprivate let start: Duration
  }

  private struct Line {
    let record: ListRecord
    var tries = 0
  }

  private struct State {
    var queues: HostQueues<Line>
    var isReading = false
    var isAtEnd = false
    var idle: [OneShot<Void>] = []
    var timers: [String: Task<Void, Never>] = [:]

    /// True when somebody who looks would find something to do.
    func hasWork(window: Int) -> Bool {
      queues.mayHaveNext || !isReading && !isAtEnd && queues.waiting < window || isOver
    }

    var isOver: Bool { isAtEnd && queues.waiting == 0 && queues.running == 0 }
  }

  /// How many lines are held while their hosts have no room: 10 000, some megabytes. A list in which more lines of one
  /// slow host stand together waits for it then.
  package static let window = 10_000

  private let source: ListSource
  private let timeline: Timeline
  private let state: Mutex<State>

  /// - Parameter perHost: At most so many lines of one host at once.
  package init(_ source: ListSource, perHost: Int, timeline: Timeline) {
    self.source = source
    self.timeline = timeline
    state = Mutex(State(queues: HostQueues(perHost: perHost)))
  }

  /// The next line whose host has room; nil when all are done, or the task is cancelled.
  package func next() async -> Turn? {
    enum Step {
      case turn(Turn)
      case over
      case read
      case wait(OneShot<Void>)
    }
    while !Task.isCancelled {
      let step = state.withLock { state -> Step in
        if let (line, host) = state.queues.next() {
          return .turn(Turn(record: line.record, formerTries: line.tries, host: host, start: timeline.now))
        }
        if state.isOver { return .over }
        if !state.isReading, !state.isAtEnd, state.queues.waiting < Self.window {
          state.isReading = true
          return .read
        }
        let cell = OneShot<Void>()
        state.idle.append(cell)
        return .wait(cell)
      }
      switch step {
      case .turn(let turn):
        wakeNext()
        return turn
      case .over:
        wakeNext()
        return nil
      case .read:
        let record = await source.next()
        state.withLock { state in
          state.isReading = false
          if let record {
            state.queues.append(Line(record: record), for: Self.host(of: record.url))
          } else {
            state.isAtEnd = true
          }
        }
        wakeNext()
      case .wait(let cell):
        await withTaskCancellationHandler {
          await cell.value
        } onCancel: {
          cell.settle(())
        }
      }
    }
    // Woken for something that it leaves to another.
    wakeNext()
    return nil
  }

  /// The line is done with.
  package func finish(_ turn: Turn, sign: HostSign?) {
    state.withLock {
      $0.queues.finish(turn.host, sign: sign, begunAt: turn.start, now: timeline.now)
    }
    wakeNext()
  }

  /// The host wants a pause, after which the line has its turn again, before the others of its host.
  package func again(_ turn: Turn, after pause: Duration) {
    let line = Line(record: turn.record, tries: turn.formerTries + 1)
    let host = turn.host
    state.withLock { state in
      let now = timeline.now
      state.queues.finish(host, sign: .refused, again: line, begunAt: turn.start, now: now)
      let rest = state.queues.hold(host, until: now + pause) - now
      state.timers[host]?.cancel()
      state.timers[host] = timeline.spawn { [weak self, timeline] in
        guard (try? await timeline.sleep(for: rest)) != nil else { return }
        self?.release(host)
      }
    }
    wakeNext()
  }

  /// Ends what is left to wait for, once nobody asks for turns any more.
  package func close() {
    let timers = state.withLock { state in
      defer { state.timers = [:] }
      return state.timers.values.map(\.self)
    }
    for timer in timers { timer.cancel() }
  }

  private func release(_ host: String) {
    state.withLock { state in
      state.timers[host] = nil
      state.queues.release(host, now: timeline.now)
    }
    wakeNext()
  }

  /// Wakes one who waits, when there is something to do; that one wakes the next.
  private func wakeNext() {
    // Who was cancelled meanwhile does not count.
    while let cell = state.withLock({ state in
      state.hasWork(window: Self.window) ? state.idle.popLast() : nil
    }) { if cell.settle(()) { return } }
  }

  /// The host, with its port, as the URL has it; the scheme is left out, a host being one machine. What is no URL shares
  /// a line of its own.
  static func host(of url: String) -> String {
    let text = url.utf8
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return "" }
    let rest = text[text.index(after: colon)...]
    guard rest.starts(with: "//".utf8) else { return "" }
    let authority = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
    return String(Substring(authority)).lowercased()
  }
}
