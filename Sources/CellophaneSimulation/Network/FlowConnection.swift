/// A connection of a ``FlowNetwork``: its congestion window and its streams.
///
/// Time passes in rounds of one round trip plus the transmission time of one segment. In a round the
/// connection sends at most its window. The window then grows by the acknowledged bytes (slow start, RFC 5681
/// and RFC 3465), unless less than half of it was used: Linux does not grow such a window. Once the window
/// fills the link, it is no limit and rounds end.
struct FlowConnection {
  let number: Int
  /// The congestion window, in bytes.
  private(set) var window: Int
  var streams: [FlowStream] = []
  var isClosed = false
  /// The end of the current round.
  private var roundEnd: Int64?
  /// The amount sent in the current round, in bit/s · ns.
  private var spent: Int64 = 0
  /// The time at which a lost segment is retransmitted. Data behind it cannot be delivered earlier.
  private var stalledUntil: Int64?
  /// The time at which the last stream ended.
  private var idleSince: Int64 = 0

  init(number: Int, window: Int) {
    self.number = number
    self.window = window
  }

  /// Adds a stream.
  mutating func add(_ stream: FlowStream, _ terms: FlowTerms, at now: Int64) {
    if streams.isEmpty {
      endRound(terms, at: now)
      let idle = now - idleSince
      let restarted = terms.window(window, afterIdle: idle)
      if restarted < window || idle > terms.windowLifetime { (window, roundEnd, spent) = (restarted, nil, 0) }
    }
    streams.append(stream)
    beginRound(terms, at: now)
  }

  /// Removes a stream.
  mutating func remove(_ index: Int, at now: Int64) {
    streams.remove(at: index)
    if streams.isEmpty { idleSince = now }
  }

  /// Returns true if the connection has data to send and its window allows it.
  func canSend(_ terms: FlowTerms, at now: Int64) -> Bool {
    stalledUntil == nil && (credit(terms).map { $0 > 0 } ?? true)
      && streams.contains { $0.remaining > 0 && $0.start <= now }
  }

  /// Divides `rate` between the streams that the server sends now.
  mutating func setRate(_ rate: Int64, _ terms: FlowTerms, at now: Int64) {
    for index in streams.indices { streams[index].rate = 0 }
    guard rate > 0 else { return }
    let ready = streams.indices.filter { streams[$0].remaining > 0 && streams[$0].start <= now }
    let served = terms.scheduling.served(ready) { streams[$0].order }
    var free = rate
    for (position, index) in served.enumerated() {
      let share = max(1, free / Int64(served.count - position))
      streams[index].rate = share
      free -= min(free, share)
    }
  }

  /// Transfers data for `time` ns.
  mutating func flow(for time: Int64) {
    for index in streams.indices where streams[index].rate > 0 {
      // The amount fits 64 bits: at most the remaining data and one rate, because no event is skipped.
      let sent = min(streams[index].remaining, streams[index].rate * time)
      streams[index].remaining -= sent
      if roundEnd != nil { spent += sent }
    }
  }

  /// Returns the time of the next event of this connection; nil if absent.
  func next(_ terms: FlowTerms, after now: Int64) -> Int64? {
    guard !streams.isEmpty else { return nil }
    var next = Int64.max
    var rate: Int64 = 0
    for stream in streams {
      if stream.start > now { next = min(next, stream.start) }
      if let cutoff = stream.cutoff { next = min(next, cutoff) }
      if let end = stream.stalledUntil { next = min(next, end) }
      rate += stream.rate
      // Rounded up: nothing remains at that time.
      if stream.rate > 0 { next = min(next, now + (stream.remaining - 1) / stream.rate + 1) }
    }
    if let stalledUntil { next = min(next, stalledUntil) }
    if let roundEnd, streams.contains(where: { $0.remaining > 0 }) { next = min(next, roundEnd) }
    if let credit = credit(terms), credit > 0, rate > 0 { next = min(next, now + (credit - 1) / rate + 1) }
    return next == .max ? nil : next
  }

  /// Processes the events at `now`. Returns the bytes that removed streams received after they were
  /// cancelled.
  mutating func processEvents(_ terms: FlowTerms, at now: Int64) -> Int {
    if let end = stalledUntil, end <= now { stalledUntil = nil }
    for index in streams.indices {
      if let end = streams[index].stalledUntil, end <= now {
        streams[index].stalledUntil = nil
        streams[index].isComplete = true
      }
      if streams[index].remaining == 0, !streams[index].isComplete, streams[index].stalledUntil == nil {
        endOfBody(index, terms, at: now)
      }
    }
    var receivedAfterCancel = 0
    for index in streams.indices.reversed() {
      guard let cutoff = streams[index].cutoff, cutoff <= now || streams[index].isComplete else { continue }
      receivedAfterCancel += streams[index].receivedAfterCancel
      remove(index, at: now)
    }
    endRound(terms, at: now)
    if !streams.isEmpty { beginRound(terms, at: now) }
    return receivedAfterCancel
  }

  /// Completes a body whose last byte was sent, or delays it if a segment of the last window is lost.
  private mutating func endOfBody(_ index: Int, _ terms: FlowTerms, at now: Int64) {
    let lastWindow = min(streams[index].size, window)
    if terms.loss > 0, streams[index].lossDraw < terms.lossChance(of: lastWindow) {
      streams[index].stalledUntil = now + terms.stall
      if terms.isOrdered { stalledUntil = now + terms.stall }
    } else {
      streams[index].isComplete = true
    }
  }

  private mutating func beginRound(_ terms: FlowTerms, at now: Int64) {
    guard roundEnd == nil, window < terms.fullWindow,
      streams.contains(where: { $0.remaining > 0 && $0.start <= now })
    else { return }
    roundEnd = now + terms.round
    spent = 0
  }

  /// Ends the round if its time is over.
  private mutating func endRound(_ terms: FlowTerms, at now: Int64) {
    guard let end = roundEnd, end <= now else { return }
    let acknowledged = min(Int(spent / FlowTerms.byte), window)
    if 2 * acknowledged >= window { window = min(window + acknowledged, terms.maxWindow) }
    roundEnd = nil
    spent = 0
  }

  /// Returns the amount that may still be sent in this round, in bit/s · ns; nil if only the link is a limit.
  private func credit(_ terms: FlowTerms) -> Int64? {
    guard roundEnd != nil else { return nil }
    return Int64(window) * FlowTerms.byte - spent
  }
}
