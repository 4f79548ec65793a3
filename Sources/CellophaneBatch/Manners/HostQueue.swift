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
  private(set) var pauses = HostPauses()
  // How often it did what it should, or had not to.
  private var served = 0
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

  var isIdle: Bool { running == 0 && hasNothing && pauses.heldUntil == nil }

  /// True when it gets less than it may have, and somebody wants it.
  var isRestrained: Bool { (pauses.heldUntil != nil || limit.current < limit.most) && !isIdle }

  private var hasNothing: Bool { fresh.isEmpty && returned.isEmpty }

  /// The ring in which it waits for its turn; nil when it has no room, or nothing to do.
  func ring(trial: Int) -> Int? {
    guard pauses.letsAsk, running < limit.current, !hasNothing else { return nil }
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
  /// Where the first behind a pause is something that did not have its turn, it stands farthest from what was refused: a
  /// list may have all that a host does not give in one place, and the rest is not to be given up for it.
  mutating func popNext() -> Item? {
    if pauses.prefersReturned == false { return fresh.popLast() ?? returned.popFirst() }
    wasTurnOfReturned = pauses.prefersReturned ?? !wasTurnOfReturned
    return wasTurnOfReturned
      ? returned.popFirst() ?? fresh.popFirst() : fresh.popFirst() ?? returned.popFirst()
  }

  mutating func begin(at now: Duration) {
    running += 1
    pauses.begin(at: now)
    manners.mostAtOnce = max(manners.mostAtOnce, running)
    if busySince == nil { busySince = now }
  }

  /// What began at `start` is over. True when others have waited for that.
  mutating func end(begunAt start: Duration, now: Duration) -> Bool {
    running -= 1
    if let busySince { manners.busy += now - busySince }
    busySince = running > 0 ? now : nil
    return pauses.end(begunAt: start)
  }

  mutating func note(_ sign: HostSign, begunAt start: Duration, now: Duration) {
    limit.note(sign, begunAt: start, now: now)
    manners.note(limit: limit.current)
    if sign == .refused { return pauses.refused(at: now) }
    served += 1
    if sign != .kept { pauses.answered() }
  }

  /// Has a pause until `end`, or longer when that was said before: until then. See
  /// ``HostPauses/hold(until:isAsked:begunAt:beside:now:)``.
  mutating func hold(until end: Duration, isAsked: Bool?, begunAt start: Duration, now: Duration) -> Duration
  {
    let (end, isNew) = pauses.hold(
      until: end, isAsked: isAsked, begunAt: start, beside: running, now: now)
    if isNew { manners.pauses += 1 }
    return end
  }

  /// Looks at the time: a pause may be over, or a head start.
  mutating func look(at now: Duration) { pauses.look(at: now) }

  /// What happened since this was asked last.
  mutating func takeManners() -> HostManners {
    let taken = manners
    manners = HostManners(limit: limit.current)
    manners.mostAtOnce = running
    return taken
  }
}
