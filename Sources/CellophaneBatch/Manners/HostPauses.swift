/// When one host is left alone, how often it was since it answered last, and who goes first behind that. Pure: time is
/// told.
struct HostPauses {
  /// How long who goes first behind a pause is ahead of the others, unless it is back before. 1 s: by then it has asked,
  /// however long what was kept of it took to be looked for, and the others wait within the loader for what the host says
  /// to it. So a body that takes longer holds nobody up.
  static var headStart: Duration { .seconds(1) }

  private struct Pause {
    var until: Duration
    // Somebody who was asked for has told of it.
    var isTold = false
    // It is one of those since the last answer. So is one that nobody has told of yet but who was held back.
    var isCounted = false
  }

  /// Who goes first behind a pause: alone, so that it is the one that was chosen whom the host answers, or refuses.
  private enum Vanguard: Equatable {
    case none
    /// Whoever begins next.
    case wanted
    /// Who began then.
    case away(since: Duration)
  }

  private var pause: Pause?
  private var vanguard = Vanguard.none
  // Since the last answer.
  private var count = 0
  // When the last one began that was counted, by what was told.
  private var toldAt: Duration?
  // The host asked for the last one itself; so far as is known.
  private var wasAskedFor = false
  // When it refused first since its last answer.
  private var refusesSince: Duration?
  private var hasAnswered = false

  /// Until when the host is left alone; nil when it is not.
  var heldUntil: Duration? { pause?.until }

  /// When those behind the one that went first may follow, if it is not back before; nil when nobody is ahead.
  var headStartEnd: Duration? {
    if case .away(let since) = vanguard { since + Self.headStart } else { nil }
  }

  /// True when the host may be asked for something.
  var isOver: Bool { pause == nil && headStartEnd == nil }

  /// Whether what comes back goes before what has not had its turn; nil when there was no pause since the last answer.
  ///
  /// It does behind a pause that the host asked for: that is what it asked it for. Behind every other of these, and those
  /// that it did not ask for, something else is tried.
  var prefersReturned: Bool? { count > 0 ? wasAskedFor && count % 2 == 1 : nil }

  /// Something begins.
  mutating func begin(at now: Duration) {
    if vanguard == .wanted { vanguard = .away(since: now) }
  }

  /// What began at `start` is over.
  mutating func end(begunAt start: Duration) {
    if vanguard == .away(since: start) { vanguard = .none }
  }

  /// The host refused something.
  mutating func refused(at now: Duration) { refusesSince = refusesSince ?? now }

  /// The host did what it should.
  mutating func answered() {
    (count, wasAskedFor, refusesSince, hasAnswered) = (0, false, nil, true)
    pause?.isCounted = false
  }

  /// How long it gets pauses, without an answer between them, for what it did not refuse. 10 s, as long as a load waits by
  /// itself; half a minute for one that has answered, so that what is started anew is back. The last pause begins then, and
  /// takes about as long.
  private var patience: Duration { .seconds(hasAnswered ? 30 : 10) }

  /// True when it is worth another pause: it had fewer than `most` since its last answer. Beyond those, as long as its
  /// patience lasts, for something that it did not refuse before. Behind a pause that it asked for also for something
  /// that it did, when it was not asked for that now: others may come first and be refused, pause after pause.
  ///
  /// - Parameters:
  ///   - wasRefused: It refused this before.
  ///   - isHeldBack: It was not asked for this now.
  ///   - start: When this began.
  func isWorthAnother(
    of most: Int, wasRefused: Bool, isHeldBack: Bool, begunAt start: Duration, now: Duration
  ) -> Bool {
    let isMore = isNews(start) && pause.map { !$0.isCounted && !isHeldBack } ?? true
    if (isMore ? count : count - 1) < most { return true }
    guard !wasRefused || isHeldBack && wasAskedFor else { return false }
    return refusesSince.map { now - $0 < patience } ?? true
  }

  /// Leaves the host alone until `end`, or longer when that was said before: until then.
  ///
  /// - Parameters:
  ///   - isAsked: It asked for that; nil when it was not asked for what is held back now.
  ///   - start: When that began.
  /// - Returns: Until when, and whether that is another pause.
  mutating func hold(
    until end: Duration, isAsked: Bool?, begunAt start: Duration, now: Duration
  ) -> (end: Duration, isNew: Bool) {
    let isNew = self.pause == nil
    if isNew, end <= now { return (now, false) }
    var pause = self.pause ?? Pause(until: end)
    let wasCounted = pause.isCounted
    pause.until = max(pause.until, end)
    if let isAsked {
      let isNews = isNews(start)
      if isNews { toldAt = now }
      pause.isCounted = isNews || pause.isTold && pause.isCounted
      wasAskedFor = isAsked || pause.isTold && wasAskedFor
      pause.isTold = true
    } else if isNew {
      pause.isCounted = true
    }
    count += (pause.isCounted ? 1 : 0) - (wasCounted ? 1 : 0)
    self.pause = pause
    vanguard = .none
    return (pause.until, isNew)
  }

  /// False for what was under way when the last pause began: that it is refused says the same once more, however late.
  private func isNews(_ start: Duration) -> Bool { toldAt.map { start > $0 } ?? true }

  /// Looks at the time: a pause may be over, or a head start.
  mutating func look(at now: Duration) {
    if let end = heldUntil, end <= now { (pause, vanguard) = (nil, .wanted) }
    if let end = headStartEnd, end <= now { vanguard = .none }
  }
}
