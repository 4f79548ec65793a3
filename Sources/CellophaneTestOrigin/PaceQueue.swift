/// The waiters of an origin: for a time, or for the link. Pure: time is a parameter, and the waiters that may continue
/// are the result.
struct PaceQueue<Waiter: Hashable> {
  private var link: LinkBucket?
  private var timers: [(due: Duration, waiter: Waiter)] = []
  /// One piece per connection, so that the order of arrival is a round robin between connections.
  private var queue: [(waiter: Waiter, bytes: Int)] = []

  init(link: LinkBucket?) { self.link = link }

  /// The largest piece to request; nil when the link has no limit.
  var piece: Int? { link?.piece }

  mutating func wait(_ waiter: Waiter, until due: Duration) {
    let index = timers.firstIndex { $0.due > due } ?? timers.endIndex
    timers.insert((due, waiter), at: index)
  }

  /// Returns true when `bytes` may be sent at once. Otherwise `waiter` is queued. `isContinuous` is true when it has
  /// had more to send since its last piece.
  mutating func send(_ bytes: Int, for waiter: Waiter, isContinuous: Bool, at now: Duration) -> Bool {
    guard link != nil else { return true }
    if queue.isEmpty { link?.prepare(at: now, isContinuous: isContinuous) }
    guard queue.isEmpty, let departure = link?.departure(of: bytes), departure <= now else {
      queue.append((waiter, bytes))
      return false
    }
    link?.send(bytes)
    return true
  }

  /// Removes and returns the waiters that may continue.
  mutating func due(at now: Duration) -> [Waiter] {
    let expired = timers.prefix { $0.due <= now }
    var waiters = expired.map(\.waiter)
    timers.removeFirst(expired.count)
    var count = 0
    if var link {
      for entry in queue {
        guard link.departure(of: entry.bytes) <= now else { break }
        link.send(entry.bytes)
        waiters.append(entry.waiter)
        count += 1
      }
      self.link = link
    }
    queue.removeFirst(count)
    return waiters
  }

  /// The time at which ``due(at:)`` returns the next waiter.
  var next: Duration? {
    let departure = queue.first.flatMap { link?.departure(of: $0.bytes) }
    guard let timer = timers.first?.due else { return departure }
    return departure.map { min($0, timer) } ?? timer
  }

  /// Removes `waiter`, whose client has closed.
  mutating func remove(_ waiter: Waiter) {
    timers.removeAll { $0.waiter == waiter }
    queue.removeAll { $0.waiter == waiter }
  }
}
