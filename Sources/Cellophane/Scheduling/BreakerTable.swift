/// Which origins are left alone, and until when. Pure: transitions return what is to be done.
///
/// An origin that fails as a whole is held back at once, one whose resources fail after several in a row. When
/// the time is over, one request goes first; its answer lets the others go, its failure holds them back for
/// longer. So an origin that does not work sees one request at a time, and ever fewer.
struct BreakerTable<Waiter: Hashable> {
  /// The leave to ask an origin.
  struct Pass: Equatable {
    let origin: Origin
    // Names the one that goes ahead of all others.
    fileprivate var probe: UInt64?
  }

  /// How an origin stands for one who wants to ask it.
  enum Standing: Equatable {
    case open
    /// Nobody asks it before then, because of that.
    case held(until: Duration, because: LoadError)
    /// One has gone ahead; the waiter is told what becomes of it.
    case probing
  }

  /// What comes of an answer, or of a failure.
  struct Change: Equatable {
    /// Whom to tell that the one who went ahead is back.
    var told: [Waiter] = []
    /// Until when the origin is held back now; nil when it is not.
    var heldUntil: Duration?
    /// The same, when that was decided right now.
    var newHold: Duration?
    /// True when the origin was held back until now.
    var isReleased = false
  }

  private struct Hold {
    var until: Duration
    /// Until when the origin asked to be left alone, which may be longer than it is.
    var asked: Duration
    var error: LoadError
    var failures = 1
    var probe: UInt64?
    var waiters: [Waiter] = []
  }

  private struct State {
    // Which resources failed since the last answer, up to as many as make a hold.
    var failing: Set<ResponseKey> = []
    var hold: Hold?
  }

  /// As many resources as must fail in a row before their origin is held back. 3: one that is broken must not
  /// stop the others, and more would be a storm.
  static var mostFailing: Int { 3 }
  /// As many origins as are remembered before those nobody asks any more are forgotten.
  static var mostOrigins: Int { 1_000 }

  private var origins: [Origin: State] = [:]
  private var probesSent: UInt64 = 0
  private let policy: RetryPolicy

  /// A table of pauses as `policy` has them.
  init(_ policy: RetryPolicy) { self.policy = policy }

  /// How many origins are remembered.
  var count: Int { origins.count }

  /// True when nobody may have to wait: no origin is held back.
  var isEmpty: Bool { origins.isEmpty }

  /// How `origin` stands at `now`; `waiter` is put in line when one has gone ahead. O(1).
  mutating func arrive(_ waiter: Waiter, at origin: Origin, now: Duration) -> Standing {
    guard let hold = hold(of: origin, now: now) else { return .open }
    if hold.probe != nil {
      origins[origin]?.hold?.waiters.append(waiter)
      return .probing
    }
    return hold.until > now ? .held(until: hold.until, because: hold.error) : .open
  }

  /// Which origins nobody asks before when, in any order. O(n).
  func held(at now: Duration) -> [(origin: Origin, until: Duration)] {
    origins.compactMap { origin, state in
      state.hold.flatMap { $0.until > now ? (origin, $0.until) : nil }
    }
  }

  /// How long asking `origin` is of no use still: until its hold is over, or as it asked; nil when it is not held back.
  func rest(of origin: Origin, now: Duration) -> Duration? {
    origins[origin]?.hold.map { max($0.until, $0.asked) - now }.flatMap { $0 > .zero ? $0 : nil }
  }

  /// Takes a waiter out who does not wait any more. O(n) in the origin's waiters.
  mutating func remove(_ waiter: Waiter, from origin: Origin) {
    origins[origin]?.hold?.waiters.removeAll { $0 == waiter }
  }

  /// The leave to ask `origin` right now, or nil while it is held back. O(1).
  mutating func enter(_ origin: Origin, now: Duration) -> Pass? {
    guard let hold = hold(of: origin, now: now) else { return Pass(origin: origin) }
    guard hold.probe == nil, hold.until <= now else { return nil }
    probesSent += 1
    origins[origin]?.hold?.probe = probesSent
    return Pass(origin: origin, probe: probesSent)
  }

  /// The origin has answered. Of those that run beside a hold only the one that went ahead ends it.
  mutating func answered(_ pass: Pass) -> Change {
    // Mostly so.
    if origins.isEmpty { return Change() }
    guard let hold = origins[pass.origin]?.hold else {
      origins[pass.origin] = nil
      return Change()
    }
    guard pass.isAhead(of: hold.probe) else { return Change() }
    origins[pass.origin] = nil
    return Change(told: hold.waiters, isReleased: true)
  }

  /// The exchange came to an end that says nothing of the origin: another may go ahead.
  mutating func gaveUp(_ pass: Pass) -> Change {
    guard let hold = origins[pass.origin]?.hold, pass.isAhead(of: hold.probe) else { return Change() }
    origins[pass.origin]?.hold?.probe = nil
    origins[pass.origin]?.hold?.waiters = []
    return Change(told: hold.waiters)
  }

  /// The exchange about `key` failed with `error`.
  ///
  /// - Parameters:
  ///   - isOfOrigin: The trouble is the whole origin's.
  ///   - retryAfter: How long the origin asks not to be asked.
  ///   - share: The random part of the pause after so many failures in a row, from 0 to 1.
  mutating func failed(
    _ pass: Pass, about key: ResponseKey, with error: LoadError, isOfOrigin: Bool, retryAfter: Duration?,
    now: Duration, share: (_ failures: Int) -> Double
  ) -> Change {
    let asked = min(retryAfter ?? .zero, policy.longestHold)
    let wanted = now + (retryAfter ?? .zero)
    if let hold = origins[pass.origin]?.hold {
      guard pass.isAhead(of: hold.probe) else {
        // It began before the hold: the same failure once more. But what the origin asks for counts.
        let until = isOfOrigin ? max(hold.until, now + asked) : hold.until
        origins[pass.origin]?.hold?.until = until
        if isOfOrigin { origins[pass.origin]?.hold?.asked = max(hold.asked, wanted) }
        return Change(heldUntil: until)
      }
      let failures = hold.failures + 1
      let until = now + max(asked, policy.pause(after: failures, share: share(failures)))
      origins[pass.origin]?.hold = Hold(until: until, asked: wanted, error: error, failures: failures)
      return Change(told: hold.waiters, heldUntil: until, newHold: until)
    }
    if origins.count >= Self.mostOrigins { forget(before: now) }
    origins[pass.origin, default: State()].failing.insert(key)
    guard isOfOrigin || origins[pass.origin, default: State()].failing.count >= Self.mostFailing else {
      return Change()
    }
    let until = now + max(asked, policy.pause(after: 1, share: share(1)))
    origins[pass.origin]?.hold = Hold(until: until, asked: wanted, error: error)
    return Change(heldUntil: until, newHold: until)
  }

  /// What holds `origin` back; a hold that was over long ago is forgotten, so that the pauses grow from the
  /// beginning again.
  private mutating func hold(of origin: Origin, now: Duration) -> Hold? {
    if origins.isEmpty { return nil }
    guard let hold = origins[origin]?.hold else { return nil }
    guard hold.probe == nil, now - hold.until > policy.longestHold else { return hold }
    origins[origin] = nil
    return nil
  }

  /// Forgets origins that nobody waits for and that may be asked again. O(n).
  private mutating func forget(before now: Duration) {
    origins = origins.filter { _, state in
      state.hold.map { $0.until > now || $0.probe != nil } ?? false
    }
  }
}

extension BreakerTable.Pass {
  /// True when it belongs to the one that has gone ahead.
  fileprivate func isAhead(of probe: UInt64?) -> Bool { probe != nil && probe == self.probe }
}
