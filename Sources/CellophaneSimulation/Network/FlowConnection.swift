/// One connection of a ``FlowNetwork``: its window and the streams that it carries.
///
/// Time goes in rounds of one round trip and one segment each. In a round the connection sends at most its window; then
/// the window has grown by what was acknowledged of it (slow start, RFC 5681 and 3465), unless less than half of it was used, when
/// Linux lets it be. A window that fills the line limits nothing any more, and rounds end.
struct FlowConnection {
  let number: Int
  /// In bytes.
  private(set) var window: Int
  var streams: [FlowStream] = []
  var isClosed = false
  /// When the round ends that runs.
  private var roundEnd: Int64?
  /// What was sent in it, in bit/s · ns.
  private var spent: Int64 = 0
  /// The end of a wait for a lost segment: what is behind it cannot be handed over.
  private var stalledUntil: Int64?
  /// When its last stream ended.
  private var idleSince: Int64 = 0

  init(number: Int, window: Int) {
    self.number = number
    self.window = window
  }

  /// Takes a stream over.
  mutating func add(_ stream: FlowStream, _ terms: FlowTerms, at now: Int64) {
    if streams.isEmpty {
      endRound(terms, at: now)
      if now - idleSince > terms.windowLifetime {
        window = terms.firstWindow
        (roundEnd, spent) = (nil, 0)
      }
    }
    streams.append(stream)
    beginRound(terms, at: now)
  }

  /// Takes a stream out.
  mutating func remove(_ index: Int, at now: Int64) {
    streams.remove(at: index)
    if streams.isEmpty { idleSince = now }
  }

  /// Whether it has something to send, and may.
  func sends(_ terms: FlowTerms, at now: Int64) -> Bool {
    stalledUntil == nil && (credit(terms).map { $0 > 0 } ?? true)
      && streams.contains { $0.left > 0 && $0.start <= now }
  }

  /// Gives its rate to the streams whose turn it is: those of the greatest urgency, and among these, in the order in
  /// which they were asked for, the first alone, or all incremental ones together when the first is one.
  mutating func setRate(_ rate: Int64, at now: Int64) {
    for index in streams.indices { streams[index].rate = 0 }
    guard rate > 0 else { return }
    let ready = streams.indices.filter { streams[$0].left > 0 && streams[$0].start <= now }
    guard let urgency = ready.map({ streams[$0].order.urgency }).min() else { return }
    let urgent = ready.filter { streams[$0].order.urgency == urgency }
    guard let first = urgent.first else { return }
    let turn =
      streams[first].order.isIncremental ? urgent.filter { streams[$0].order.isIncremental } : [first]
    var free = rate
    for (place, index) in turn.enumerated() {
      let share = max(1, free / Int64(turn.count - place))
      streams[index].rate = share
      free -= min(free, share)
    }
  }

  /// Lets bytes come for so long.
  mutating func flow(for time: Int64) {
    for index in streams.indices where streams[index].rate > 0 {
      // At most what is left and one rate: no event of the line is passed over.
      let sent = min(streams[index].left, streams[index].rate * time)
      streams[index].left -= sent
      if roundEnd != nil { spent += sent }
    }
  }

  /// When anything changes here next.
  func next(_ terms: FlowTerms, after now: Int64) -> Int64? {
    guard !streams.isEmpty else { return nil }
    var next = Int64.max
    var rate: Int64 = 0
    for stream in streams {
      if stream.start > now { next = min(next, stream.start) }
      if let cut = stream.cut { next = min(next, cut) }
      rate += stream.rate
      // Rounded up: at that time nothing is left.
      if stream.rate > 0 { next = min(next, now + (stream.left - 1) / stream.rate + 1) }
    }
    if let stalledUntil { next = min(next, stalledUntil) }
    if let roundEnd, streams.contains(where: { $0.left > 0 }) { next = min(next, roundEnd) }
    if let credit = credit(terms), credit > 0, rate > 0 { next = min(next, now + (credit - 1) / rate + 1) }
    return next == .max ? nil : next
  }

  /// Does what is due now; returns the bytes that came of streams that are gone and that nobody wanted.
  mutating func turn(_ terms: FlowTerms, at now: Int64) -> Int {
    if let end = stalledUntil, end <= now { stalledUntil = nil }
    for index in streams.indices {
      if let end = streams[index].heldUntil, end <= now {
        streams[index].heldUntil = nil
        streams[index].isWhole = true
      }
      if streams[index].left == 0, !streams[index].isWhole, streams[index].heldUntil == nil {
        endOfBody(index, terms, at: now)
      }
    }
    var unwanted = 0
    for index in streams.indices.reversed() {
      guard let cut = streams[index].cut, cut <= now || streams[index].isWhole else { continue }
      unwanted += streams[index].unwanted
      remove(index, at: now)
    }
    endRound(terms, at: now)
    if !streams.isEmpty { beginRound(terms, at: now) }
    return unwanted
  }

  /// The last byte was sent: it is there, unless a segment of the last window is lost.
  private mutating func endOfBody(_ index: Int, _ terms: FlowTerms, at now: Int64) {
    let lastWindow = min(streams[index].size, window)
    if terms.loss > 0, streams[index].luck < terms.lossChance(of: lastWindow) {
      streams[index].heldUntil = now + terms.stall
      stalledUntil = now + terms.stall
    } else {
      streams[index].isWhole = true
    }
  }

  private mutating func beginRound(_ terms: FlowTerms, at now: Int64) {
    guard roundEnd == nil, window < terms.fullWindow,
      streams.contains(where: { $0.left > 0 && $0.start <= now })
    else { return }
    roundEnd = now + terms.round
    spent = 0
  }

  /// Ends the round if it is over.
  private mutating func endRound(_ terms: FlowTerms, at now: Int64) {
    guard let end = roundEnd, end <= now else { return }
    let acknowledged = min(Int(spent / FlowTerms.byte), window)
    if 2 * acknowledged >= window { window = min(window + acknowledged, terms.largestWindow) }
    roundEnd = nil
    spent = 0
  }

  /// What it may still send in this round, in bit/s · ns; nil when nothing but the line limits it.
  private func credit(_ terms: FlowTerms) -> Int64? {
    guard roundEnd != nil else { return nil }
    return Int64(window) * FlowTerms.byte - spent
  }
}
