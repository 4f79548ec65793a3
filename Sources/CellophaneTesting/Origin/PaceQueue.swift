/// The waiters of an origin: for a time, or for the link. Pure: time is a parameter, and the waiters that may continue
/// are the result.
struct PaceQueue<Waiter: Hashable> {
  private var line: LinkBucket?
  private var timers: [(due: Duration, waiter: Waiter)] = []
  /// One piece per connection, so that the order of arrival is a round robin between connections.
  private var queue: [(waiter: Waiter, bytes: Int)] = []

  init(line: LinkBucket?) { self.line = line }

  /// The largest piece to request; nil when the link has no limit.
  var piece: Int? { line?.piece }

  mutating func wait(_ waiter: Waiter, until due: Duration) {
    let index = timers.firstIndex { $0.due > due } ?? timers.endIndex
    timers.insert((due, waiter), at: index)
  }

  /// Returns true when `bytes` may be sent at once. Otherwise `waiter` is queued. `isGoingOn` is true when it has had
  /// more to send since its last piece.
  mutating func send(_ bytes: Int, for waiter: Waiter, isGoingOn: Bool, at now: Duration) -> Bool {
    guard line != nil else { return true }
    if queue.isEmpty { line?.ask(at: now, isGoingOn: isGoingOn) }
    guard queue.isEmpty, let departure = line?.departure(of: bytes), departure <= now else {
      queue.append((waiter, bytes))
      return false
    }
    line?.send(bytes)
    return true
  }

  /// Removes and returns the waiters that may continue.
  mutating func due(at now: Duration) -> [Waiter] {
    let ripe = timers.prefix { $0.due <= now }
    var waiters = ripe.map(\.waiter)
    timers.removeFirst(ripe.count)
    var turns = 0
    if var line {
      for turn in queue {
        guard line.departure(of: turn.bytes) <= now else { break }
        line.send(turn.bytes)
        waiters.append(turn.waiter)
        turns += 1
      }
      self.line = line
    }
    queue.removeFirst(turns)
    return waiters
  }

  /// The time at which ``due(at:)`` returns the next waiter.
  var next: Duration? {
    let turn = queue.first.flatMap { line?.departure(of: $0.bytes) }
    guard let timer = timers.first?.due else { return turn }
    return turn.map { min($0, timer) } ?? timer
  }

  /// Removes `waiter`, whose client has closed.
  mutating func remove(_ waiter: Waiter) {
    timers.removeAll { $0.waiter == waiter }
    queue.removeAll { $0.waiter == waiter }
  }
}
