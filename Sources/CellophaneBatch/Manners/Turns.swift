package import Cellophane
internal import Synchronization

/// Gives the lines of a list to those who work them off, so many a host at once. Reads on only while somebody has
/// nothing to do, and not farther than ``window`` lines, or ``mostBytes``, ahead. Lines that are over as they are read
/// stand in no line of a host.
package final class Turns: Sendable {
  /// A line whose turn has come. Whoever gets one says by ``finish(_:_:)`` or ``again(_:_:after:attempts:)`` that it is
  /// over.
  package struct Turn: Sendable {
    let line: Line
    /// In whose line it stood: its own host, or one to which it redirects and that refused it. Nil for a line that was over
    /// before.
    package let host: String?
    /// How long the line has stood in lines of hosts since it was read.
    package let waited: Duration
    let start: Duration

    package var record: ListRecord { line.record }
    /// The host of its URL; nil for a line that was over before.
    var ownHost: String? { line.host }
    /// What there is to do.
    package var claim: BatchWork.Claim { line.claim }
    /// How often its origin was asked for it before.
    package var formerAttempts: Int { line.attempts }
    /// When the line was read.
    package var begun: Duration { line.begun }
  }

  /// How many lines are held while their hosts have no room: 4 000, six megabytes. A list in which more lines of one
  /// slow host stand together waits for it then.
  package static let window = 4_000

  /// The most bytes of lines that are held then, about. 16 MB: where other fields stand beside the URLs, captions and
  /// pages among them, a line may have a megabyte.
  static let mostBytes = 16 << 20

  private let source: ListSource
  private let timeline: Timeline
  private let claim: @Sendable (ListRecord) -> BatchWork.Claim
  private let admits: @Sendable (_ position: Int) -> Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - perHost: At most so many lines of one host at once.
  ///   - claim: Called for one line after another, in the order of the list.
  ///   - admits: Whether the line at a position may begin; when not, others may once another is finished.
  package init(
    _ source: ListSource, perHost: Int, timeline: Timeline,
    claim: @escaping @Sendable (ListRecord) -> BatchWork.Claim,
    admits: @escaping @Sendable (_ position: Int) -> Bool = { _ in true }
  ) {
    self.source = source
    self.timeline = timeline
    self.claim = claim
    self.admits = admits
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
        admitEarly(&state)
        if let line = state.over.take() { return .turn(line.turn(of: nil, at: timeline.now)) }
        let now = timeline.now
        if let (line, host, headStartEnd) = state.next(now: now) {
          if let headStartEnd { look(at: host, once: headStartEnd, now: now, &state) }
          return .turn(line.turn(of: host, at: now))
        }
        if state.isOver { return .over }
        if state.mayRead {
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
        let line = record.map { Line(record: $0, claim: claim($0), at: timeline.now) }
        let over = state.withLock { state -> Line? in
          state.isReading = false
          state.early = line
          if line == nil { state.isAtEnd = true }
          admitEarly(&state)
          return state.over.take()
        }
        // Nobody is woken for what this one comes back for.
        if let over { return over.turn(of: nil, at: timeline.now) }
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

  /// The line is done with. Whoever says so asks for the next; nobody else is woken for the place that is free now, only
  /// when this one went ahead of others.
  ///
  /// - Returns: How hosts were treated that had a part in it; nil for a line that was over before.
  @discardableResult
  package func finish(_ turn: Turn, _ signs: Signs) -> HostTreatment? {
    guard let host = turn.host, let own = turn.ownHost else { return nil }
    let (treatment, isAwaited) = state.withLock { state in
      let isAwaited = state.finish(host, signs, begunAt: turn.start, now: timeline.now)
      var treatment = HostTreatment(host: own, manners: state.queues.takeManners(of: own))
      if host != own { treatment.others.append((host, state.queues.takeManners(of: host))) }
      if let refuser = signs.refuser, refuser != own, refuser != host {
        treatment.others.append((refuser, state.queues.takeManners(of: refuser)))
      }
      return (treatment, isAwaited)
    }
    if isAwaited { wakeNext() }
    return treatment
  }

  /// The line was refused. When the refuser wants a pause, or has one, the line has its turn again behind it, before the
  /// others that come back if this one was asked, and not only one too many; without a pause when it answers others and is
  /// busy. False when none of that is so, or when it is not worth while: the line was asked for too often (see
  /// ``Signs/allow(_:answers:)``), or the host had ``mostPauses`` since it answered last and is not to be waited for longer
  /// (see ``HostPauses/isWorthAnother(of:wasRefused:isHeldBack:begunAt:now:)``). The line is not finished then. Where the
  /// refuser is not the host in whose line it stood, nobody there is held up for it.
  ///
  /// - Parameters:
  ///   - pause: How long; nil when nobody said.
  ///   - attempts: How often its origin was asked.
  package func again(_ turn: Turn, _ signs: Signs, after pause: Duration?, attempts: Int) -> Bool {
    guard let host = turn.host, let refuser = signs.refuser else { return false }
    let isAgain = state.withLock { state in
      let now = timeline.now
      let isHeld = state.queues.isHeld(refuser)
      // Whether others were led to another host, too, nobody knows: it is held against nobody, and shows nothing.
      let others = host == refuser ? state.queues.running(of: host) - 1 : nil
      let line = Line(turn, signs, attempts: attempts, isAlone: others == 0, at: now)
      let answers = state.queues.answers(refuser) || !signs.isHeldBack && others ?? 0 > 0
      guard pause != nil || isHeld || signs.isBusy && answers, signs.allow(line, answers: answers),
        state.queues.isWorthAnotherPause(
          refuser, of: Self.mostPauses, wasRefused: turn.line.wasRefused, isHeldBack: signs.isHeldBack,
          begunAt: turn.start, now: now)
      else { return false }
      state.weight += line.weight
      // What is refused for nothing but its number is so in turns: were it first, some would be refused each time.
      let isFirst = !signs.isHeldBack && !signs.isAskedTooOften && !(signs.isBusy && answers)
      // Before its turn ends, so that the host is not forgotten.
      state.queues.takeBack(line, for: refuser, isFirst: isFirst)
      state.finish(host, signs, begunAt: turn.start, now: now)
      let end = state.queues.hold(
        refuser, until: now + (pause ?? .zero),
        isAsked: signs.isHeldBack ? nil : signs.asksForPause || signs.isAskedTooOften,
        begunAt: turn.start, now: now)
      if end > now { look(at: refuser, once: end, now: now, &state) }
      return true
    }
    if isAgain { wakeNext() }
    return isAgain
  }

  /// The hosts that get less than they may have, in any order.
  var restraints: [HostRestraint] { state.withLock { $0.queues.restraints(now: timeline.now) } }

  /// Ends what is left to wait for, once nobody asks for turns any more.
  package func close() {
    let timers = state.withLock { state in
      defer { state.timers = [:] }
      return state.timers.values.map(\.self)
    }
    for timer in timers { timer.cancel() }
  }

  /// Has `host` looked at once it is `end`, and not when that was to be before.
  private func look(at host: String, once end: Duration, now: Duration, _ state: inout State) {
    state.timers[host]?.cancel()
    state.timers[host] = timeline.spawn { [weak self, timeline] in
      guard (try? await timeline.sleep(for: end - now)) != nil else { return }
      self?.look(at: host)
    }
  }

  private func look(at host: String) {
    state.withLock { state in
      // Replaced meanwhile: the timer there is another.
      if Task.isCancelled { return }
      state.timers[host] = nil
      state.queues.look(at: host, now: timeline.now)
    }
    wakeNext()
  }

  /// Wakes one who waits, when there is something to do; that one wakes the next.
  private func wakeNext() {
    // Who was cancelled meanwhile does not count.
    while let cell = state.withLock({ state -> OneShot<Void>? in
      admitEarly(&state)
      return state.hasWork ? state.idle.popLast() : nil
    }) { if cell.settle(()) { return } }
  }

  private func admitEarly(_ state: inout State) {
    guard state.over == nil, let line = state.early, admits(line.record.position) else { return }
    state.early = nil
    if line.isOver { state.over = line } else { state.append(line) }
  }

  /// The host, with its port unless that is the scheme's own; the scheme is left out, a host being one machine.
  static func host(of request: ImageRequest) -> String {
    request.key.response.origin.authority
  }
}
