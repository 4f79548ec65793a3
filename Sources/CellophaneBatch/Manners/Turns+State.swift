internal import Cellophane

extension Turns {
  /// A line that waits for its turn. An object, because it goes through many hands, and is some hundred bytes long.
  final class Line: Sendable {
    let record: ListRecord
    let claim: BatchWork.Claim
    /// The host of its URL; nil for one that is over.
    let host: String?
    /// How often its origin was asked for it.
    let attempts: Int
    /// How often the host refused it when nothing else of that host was under way any more.
    let refusalsAlone: Int
    /// True when it was refused, and not only because nobody was reached.
    let wasRefused: Bool
    let begun: Duration
    /// How long it has waited, up to when it was put in line last.
    private let waited: Duration
    private let since: Duration

    /// One that was read at `now`.
    init(record: ListRecord, claim: BatchWork.Claim, at now: Duration) {
      (self.record, self.claim) = (record, claim)
      host = if case .load(let request) = claim { Turns.host(of: request) } else { nil }
      (attempts, refusalsAlone, wasRefused) = (0, 0, false)
      (begun, waited, since) = (now, .zero, now)
    }

    /// One that waits for another turn, behind `turn`, in which its origin was asked so often, and which said `signs`.
    init(_ turn: Turn, _ signs: Signs, attempts: Int, isAlone: Bool, at now: Duration) {
      (record, claim, host) = (turn.record, turn.claim, turn.line.host)
      (begun, waited, since) = (turn.begun, turn.waited, now)
      wasRefused = turn.line.wasRefused || attempts > 0 && !signs.isUnreached
      self.attempts = turn.formerAttempts + attempts
      refusalsAlone = turn.line.refusalsAlone + (isAlone ? attempts : 0)
    }

    var isOver: Bool { host == nil }

    /// About the bytes that it holds, the URL as it stands there and as it is asked for, with what a line without
    /// anything takes.
    var weight: Int { 600 + 2 * record.url.utf8.count + record.carried.count }

    func turn(of host: String?, at now: Duration) -> Turn {
      Turn(line: self, host: host, waited: waited + (now - since), start: now)
    }
  }

  /// What waits, and who.
  struct State {
    var queues: HostQueues<Line>
    // The weight of what waits.
    var weight = 0
    var isReading = false
    var isAtEnd = false
    // Read, and too far ahead of others.
    var early: Line?
    // Read, and over, and not too far ahead any more.
    var over: Line?
    var idle: [OneShot<Void>] = []
    var timers: [String: Task<Void, Never>] = [:]

    var isOver: Bool {
      isAtEnd && early == nil && over == nil && queues.waiting == 0 && queues.running == 0
    }

    /// True when no line more can be read before another is done with: hosts that are not known yet are not waited for.
    var isFull: Bool {
      isAtEnd || early != nil || queues.waiting >= Turns.window || weight >= Turns.mostBytes
    }

    /// True when there is room for one line more.
    var mayRead: Bool { !isReading && !isFull }

    /// True when somebody who looks would find something to do.
    var hasWork: Bool { over != nil || queues.mayHaveNext(isAlone: isFull) || mayRead || isOver }

    mutating func append(_ line: Line) {
      weight += line.weight
      if let host = line.host { queues.append(line, for: host) }
    }

    /// A turn in the line of `host` is over. True when others have waited for that, beside the one for its place.
    @discardableResult
    mutating func finish(_ host: String, _ signs: Signs, begunAt start: Duration, now: Duration) -> Bool {
      let isAwaited = queues.finish(host, sign: signs.ofHost, begunAt: start, now: now)
      // Who was not asked has said nothing new.
      if let refuser = signs.refuser, refuser != host, !signs.isHeldBack {
        queues.note(.refused, of: refuser, begunAt: start, now: now)
      }
      return isAwaited
    }

    mutating func next(now: Duration) -> (item: Line, host: String, headStartEnd: Duration?)? {
      let next = queues.next(isAlone: isFull, now: now)
      if let next { weight -= next.item.weight }
      return next
    }
  }
}
