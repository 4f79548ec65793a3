/// The line of one host: what waits in it, and what the host has said. Pure: time is told.
struct HostQueue<Item> {
  /// The ring of those that must serve before they get more. Before it come one for each length of the number of what
  /// runs, in bits: 11 up to 1 023, and what is beyond.
  static var untried: Int { 11 }

  /// What has not had its turn.
  private var fresh = Fifo<Item>()
  /// What has had one, and was refused or had to wait for what others were told.
  private var returned = Fifo<Item>()
  // Those two take turns.
  private var wasTurnOfReturned = false
  private(set) var running = 0
  private(set) var limit: HostLimit
  private(set) var heldUntil: Duration?
  /// Since its last answer.
  private(set) var pauses = 0
  // It asked for the last one itself; so far as is known, where nobody has told of that yet but lines held back.
  private var askedForPause = false
  private var isPauseTold = false
  // When it refused first since then.
  private var refusesSince: Duration?
  // How often it did what it should, or had not to.
  private var served = 0
  private var hasAnswered = false
  /// The rings in which it stands, a bit each; in those that it has left, too, until it is found there.
  var rings: UInt16 = 0
  /// It was among the hosts before, idle or not.
  var isCounted = false
  private var manners: HostManners
  // Since when what is under way has not been told.
  private var busySince: Duration?

  /// - Parameter most: As many as there may be at once.
  init(most: Int) {
    limit = HostLimit(most: most)
    manners = HostManners(limit: limit.current)
  }

  var isIdle: Bool { running == 0 && hasNothing && heldUntil == nil }

  /// True when it gets less than it may have, and somebody wants it.
  var isRestrained: Bool { (heldUntil != nil || limit.current < limit.most) && !isIdle }

  private var hasNothing: Bool { fresh.isEmpty && returned.isEmpty }

  /// The ring in which it waits for its turn; nil when it has no room, or nothing to do.
  func ring(trial: Int) -> Int? {
    guard heldUntil == nil, running < limit.current, !hasNothing else { return nil }
    if running - served >= trial { return Self.untried }
    return min(Int.bitWidth - running.leadingZeroBitCount, Self.untried - 1)
  }

  mutating func append(_ item: Item) { fresh.append(item) }

  /// Takes something back that has had its turn; before all others there if it is to be first.
  mutating func takeBack(_ item: Item, isFirst: Bool) {
    if isFirst { returned.prepend(item) } else { returned.append(item) }
  }

  /// What is next: in turns what came back and what did not have its turn.
  ///
  /// Behind a pause it is something that did not have its turn, and stands farthest from what was refused: a list may
  /// have all that a host does not give in one place, and the rest is not to be given up for it. But behind one that the
  /// host asked for, and every other of these, what it asked that for.
  mutating func popNext() -> Item? {
    if pauses > 0, !(askedForPause && pauses % 2 == 1) { return fresh.popLast() ?? returned.popFirst() }
    wasTurnOfReturned = pauses > 0 || !wasTurnOfReturned
    return wasTurnOfReturned
      ? returned.popFirst() ?? fresh.popFirst() : fresh.popFirst() ?? returned.popFirst()
  }

  mutating func begin(at now: Duration) {
    running += 1
    manners.mostAtOnce = max(manners.mostAtOnce, running)
    if busySince == nil { busySince = now }
  }

  mutating func end(at now: Duration) {
    running -= 1
    if let busySince { manners.busy += now - busySince }
    busySince = running > 0 ? now : nil
  }

  mutating func note(_ sign: HostSign, begunAt start: Duration, now: Duration) {
    limit.note(sign, begunAt: start, now: now)
    manners.note(limit: limit.current)
    if sign == .refused {
      refusesSince = refusesSince ?? now
      return
    }
    served += 1
    if sign != .kept { (pauses, askedForPause, refusesSince, hasAnswered) = (0, false, nil, true) }
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
  func deserves(pauses most: Int, wasRefused: Bool, isHeldBack: Bool, now: Duration) -> Bool {
    if (heldUntil == nil ? pauses : pauses - 1) < most { return true }
    guard !wasRefused || isHeldBack && askedForPause else { return false }
    return refusesSince.map { now - $0 < patience } ?? true
  }

  /// Has a pause until `end`, or longer when that was said before: until then.
  ///
  /// - Parameter isAsked: It asked for that; nil when it was not asked for what is held back now.
  mutating func hold(until end: Duration, isAsked: Bool?, now: Duration) -> Duration {
    if heldUntil == nil {
      guard end > now else { return now }
      pauses += 1
      manners.pauses += 1
      isPauseTold = false
    }
    if let isAsked { (askedForPause, isPauseTold) = (isAsked || askedForPause && isPauseTold, true) }
    let end = max(heldUntil ?? end, end)
    heldUntil = end
    return end
  }

  /// Its pause is over.
  mutating func release() { heldUntil = nil }

  /// What happened since this was asked last.
  mutating func takeManners() -> HostManners {
    let taken = manners
    manners = HostManners(limit: limit.current)
    manners.mostAtOnce = running
    return taken
  }
}
