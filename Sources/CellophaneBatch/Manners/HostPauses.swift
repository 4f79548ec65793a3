/// When one host is left alone, how often it was since it answered last, and who goes first behind that. Pure: time is
/// told.
struct HostPauses {
  /// How long the first line behind a pause stays ahead of the others, unless it is back sooner. 1 s: by then it has asked
  /// the host, even after a slow look into the disk cache, and the loader has the others wait for what the host says to
  /// it. A body that takes longer holds nobody up.
  static var headStart: Duration { .seconds(1) }

  private struct Pause {
    var until: Duration
    // Known from a refusal, not only from lines that were held back.
    var isTold = false
    // It counts among those since the last answer; as does one that is not told of yet.
    var isCounted = false
  }

  /// The first line behind a pause. It goes alone, so that the one that was chosen is the one that the host answers or
  /// refuses.
  private enum Vanguard: Equatable {
    case none
    /// The one that begins next.
    case wanted
    /// The one that began then; no other did, since one that is away keeps the others from it.
    case away(since: Duration)
  }

  private var pause: Pause?
  private var vanguard = Vanguard.none
  // Since the last answer, without the one that lasts.
  private var former = 0
  // When a refusal last told something new.
  private var toldAt: Duration?
  // How many of those that were under way then still are, whether they are at the host or wait for it.
  private var underWay = 0
  // The host asked for the last pause itself; so far as is known.
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

  /// True when it has answered, and had no pause since; or it was asked before the last one, and still is at work.
  var answers: Bool { hasAnswered && count == 0 || underWay > 0 }

  /// True when the next line may ask the host.
  var letsAsk: Bool { pause == nil && headStartEnd == nil }

  /// Since the last answer.
  private var count: Int { former + (pause?.isCounted == true ? 1 : 0) }

  /// Whether a line that comes back goes before those that have not had their turn; nil when no pause counts.
  ///
  /// Where the host asked for the pause, to have that line then, those two take turns. Otherwise another line is tried
  /// first, and what comes back the second time.
  var prefersReturned: Bool? { count > 0 ? wasAskedFor ? count % 2 == 1 : count == 2 : nil }

  /// A line begins.
  mutating func begin(at now: Duration) {
    if vanguard == .wanted { vanguard = .away(since: now) }
  }

  /// The line that began at `start` is over. True when others have waited for that.
  mutating func end(begunAt start: Duration) -> Bool {
    if !isNews(start) { underWay = max(0, underWay - 1) }
    guard vanguard == .away(since: start) else { return false }
    vanguard = .none
    return true
  }

  /// The host refused a line.
  mutating func refused(at now: Duration) { refusesSince = refusesSince ?? now }

  /// The host did what it should.
  mutating func answered() {
    (former, wasAskedFor, refusesSince, hasAnswered) = (0, false, nil, true)
    pause?.isCounted = false
  }

  /// How long it gets pauses, without an answer between them, for what it did not refuse. 10 s, as long as a load waits by
  /// itself; half a minute for one that has answered, so that what is started anew is back. The last pause begins then, and
  /// takes about as long.
  private var patience: Duration { .seconds(hasAnswered ? 30 : 10) }

  /// True when it is worth another pause: it is at work since before the last one, or had fewer than `most` since its last
  /// answer; beyond those as long as its patience lasts. But only behind a pause that it asked for is that worth while for
  /// something that it refused before, and was not asked for now: others may come first and be refused, pause after pause.
  ///
  /// - Parameters:
  ///   - wasRefused: It refused this before.
  ///   - isHeldBack: It was not asked for this now.
  ///   - start: When this began.
  func isWorthAnother(
    of most: Int, wasRefused: Bool, isHeldBack: Bool, begunAt start: Duration, now: Duration
  ) -> Bool {
    let isNews = isNews(start)
    if underWay > (isNews ? 0 : 1) { return true }
    let isMore = isNews && pause.map { !$0.isCounted && !isHeldBack } ?? true
    if (isMore ? count : count - 1) < most { return true }
    guard !wasRefused || !isHeldBack || wasAskedFor else { return false }
    return refusesSince.map { now - $0 < patience } ?? true
  }

  /// Leaves the host alone until `end`, or longer when that was said before: until then.
  ///
  /// - Parameters:
  ///   - isAsked: It asked for that; nil when it was not asked for what is held back now.
  ///   - start: When that began.
  ///   - others: How many are under way there.
  /// - Returns: Until when, and whether that is another pause.
  mutating func hold(
    until end: Duration, isAsked: Bool?, begunAt start: Duration, beside others: Int, now: Duration
  ) -> (end: Duration, isNew: Bool) {
    let isNew = self.pause == nil
    if isNew, end <= now { return (now, false) }
    var pause = self.pause ?? Pause(until: end)
    pause.until = max(pause.until, end)
    if let isAsked {
      let isNews = isNews(start)
      if isNews { (toldAt, underWay) = (now, others) }
      pause.isCounted = isNews || pause.isTold && pause.isCounted
      wasAskedFor = isAsked || pause.isTold && wasAskedFor
      pause.isTold = true
    } else if isNew {
      pause.isCounted = true
    }
    self.pause = pause
    vanguard = .none
    return (pause.until, isNew)
  }

  /// False for a line that began before the last refusal that told something new: that it is refused, too, says the same
  /// once more, however late. One that another host led here since is taken for such a line as well.
  private func isNews(_ start: Duration) -> Bool { toldAt.map { start > $0 } ?? true }

  /// Looks at the time: a pause may be over, or a head start.
  mutating func look(at now: Duration) {
    if let end = heldUntil, end <= now { (former, pause, vanguard) = (count, nil, .wanted) }
    if let end = headStartEnd, end <= now { vanguard = .none }
  }
}
