internal import CCurl

/// The event loop: one thread that owns everything of libcurl. Nothing here is shared but the mailbox.
struct CurlLoop: ~Copyable {
  private let configuration: CurlTransport.Configuration
  let addresses: AddressBook
  let timeline: Timeline
  let mailbox: CurlMailbox
  var multi: CurlMulti
  var running: [ObjectIdentifier: CurlEasy] = [:]
  /// Those that make a connection for nobody.
  private var spare: [ObjectIdentifier: CurlEasy] = [:]
  var names: NameLookups<CurlExchange>
  private var upkeep = AddressUpkeep()
  private var pool: [CurlEasy] = []
  private var maxIdleConnections: Int
  /// Without messages, between two turns: memory for those that are taken.
  private var taken: [CurlMailbox.Message] = []
  let alarm = DeadlineAlarm()

  /// Handles kept for reuse. 64: the most a busy loader has in flight; one costs about 70 KB.
  private static let largestPool = 64
  /// How often messages are taken before the sockets are looked at. 16: a load is a dozen jobs, one after the other.
  private static let mostRounds = 16
  /// How long jobs may take before the sockets are looked at anew. 100 ms: short beside what any limit of time allows.
  private static let longAbsence = Duration.milliseconds(100)

  init?(
    _ configuration: CurlTransport.Configuration, _ addresses: AddressBook, _ timeline: Timeline,
    _ mailbox: CurlMailbox
  ) {
    guard let multi = CurlMulti(configuration, timeline) else { return nil }
    self.configuration = configuration
    self.addresses = addresses
    self.timeline = timeline
    self.mailbox = mailbox
    names = NameLookups(most: multi.mostLookUps)
    self.multi = multi
    maxIdleConnections = configuration.maxIdleConnections
    mailbox.setBell(self.multi.bell)
  }

  /// Works until the mailbox is closed, then answers everything that is left with a cancellation.
  mutating func run() {
    while takeMessages() {
      multi.perform()
      takeAddresses()
      while let (easy, code) = multi.nextFinished() { finish(easy, code) }
      let now = timeline.now
      if now >= alarm.time { expire(at: now) }
      // A minute: only a bound, nothing waits for it.
      multi.wait(atMost: mailbox.fallAsleep() ? min(alarm.time - now, .seconds(60)) : .zero)
    }
    mailbox.setBell(nil)
    for easy in [spare.values, running.values].joined() {
      easy.ticket?.close()
      multi.remove(easy)
      easy.rest()
    }
  }

  /// Does what others ask for; false when that was the last.
  private mutating func takeMessages() -> Bool {
    let begin = timeline.now
    var messages: [CurlMailbox.Message] = []
    swap(&messages, &taken)
    defer { swap(&messages, &taken) }
    // Jobs ask for more; the sockets wait meanwhile.
    for _ in 0..<Self.mostRounds {
      let isClosed = mailbox.take(into: &messages)
      let isEmpty = messages.isEmpty
      for message in messages {
        switch message {
        case .start(let ticket): start(ticket)
        case .cancel(let ticket): cancel(ticket)
        case .job(let job): job.run()
        case .resolved(let ticket, let site, let lacksAddress): takeAnswer(ticket, of: site, lacksAddress)
        }
      }
      // Nothing of them is held while the loop sleeps.
      messages.removeAll(keepingCapacity: true)
      if isClosed { return false }
      if isEmpty { break }
    }
    // What has come meanwhile is not late because nobody looked.
    if timeline.now - begin > Self.longAbsence { multi.wait(atMost: .zero) }
    return true
  }

  private mutating func start(_ ticket: CurlExchange) {
    if ticket.answer.isSettled { return }
    guard let easy = takeEasy() else {
      ticket.answer.settle(.failure(.noTransport))
      return
    }
    alarm.lower(to: ticket.deadline)
    running[ObjectIdentifier(ticket)] = easy
    if running.count > maxIdleConnections {
      maxIdleConnections = running.count
      multi.keep(maxIdleConnections)
    }
    let request = ticket.request
    begin(
      RedirectPolicy.Hop(url: request.url, headers: request.headers, redirects: request.redirects),
      ticket, on: easy)
  }

  private mutating func takeEasy() -> CurlEasy? {
    pool.popLast() ?? CurlEasy(configuration, addresses, timeline, alarm, multi.sockets)
  }

  private mutating func begin(_ hop: RedirectPolicy.Hop, _ ticket: CurlExchange, on easy: CurlEasy) {
    guard easy.prepare(hop, for: ticket) else { return settle(easy, .failure(.noTransport)) }
    findAddress(for: easy, ticket)
  }

  /// Puts a hop whose host may be connected to in line for a connection.
  mutating func join(_ easy: CurlEasy) {
    guard let ticket = easy.ticket else { return }
    let (now, sockets) = (timeline.now, multi.sockets)
    easy.connectDeadline = now + ticket.request.limits.connect
    switch sockets.queues.join(ticket, at: easy.site, hasFree: { sockets.hasFree(easy.site) }) {
    case .connect: add(easy)
    case .wait:
      easy.place = .line(since: now)
      alarm.lower(to: min(now + ConnectionQueues.Queue.patience, easy.connectDeadline))
    }
  }

  /// Gives a prepared hop to libcurl, which takes a connection that is free, or makes one.
  private mutating func add(_ easy: CurlEasy) {
    let now = timeline.now
    easy.place = .libcurl(since: now)
    if easy.mayShare { alarm.lower(to: now + ConnectionQueues.Queue.patience) }
    guard easy.setConnectTime(easy.connectDeadline - now), easy.setAging(upkeep.isDue(at: now)),
      multi.add(easy)
    else {
      return settle(easy, .failure(.noTransport))
    }
  }

  private mutating func cancel(_ ticket: CurlExchange) {
    guard let easy = running[ObjectIdentifier(ticket)] else { return }
    breakOff(easy, .cancelled)
  }

  /// Ends a hop that is not over. The connection that it makes, if any, is made nevertheless.
  private mutating func breakOff(_ easy: CurlEasy, _ error: LoadError) {
    guard let ticket = easy.ticket else { return }
    running[ObjectIdentifier(ticket)] = nil
    multi.sockets.queues.leave(ticket, at: easy.site)
    let error = error.of(easy.exchange(failingWith: error.kind)).namingName
    let (site, leavesName) = (easy.site, easy.isFindingAddress && !easy.isAtResolver)
    retire(easy)
    // That its time is over says nothing of the name.
    if leavesName { release(names.leave(site, by: ticket)) }
    ticket.answer.settle(.failure(error))
  }

  /// Has an easy handle make its connection for nobody, if it makes one and there are not too many; otherwise ends it.
  private mutating func retire(_ easy: CurlEasy) {
    if easy.isConnecting, multi.sockets.queues.keep(easy.site) {
      spare[ObjectIdentifier(easy)] = easy
      if easy.goOnForNobody() { return }
      endSpare(easy)
    }
    multi.remove(easy)
    recycle(easy)
  }

  private mutating func recycle(_ easy: CurlEasy) {
    easy.rest()
    if pool.count < Self.largestPool { pool.append(easy) }
  }

  private mutating func endSpare(_ easy: CurlEasy) {
    spare[ObjectIdentifier(easy)] = nil
    multi.sockets.queues.endSpare(easy.site)
  }

  /// Notes that a connection that was made for nobody is there, or failed.
  private mutating func finishSpare(_ easy: CurlEasy, _ code: CURLcode) {
    endSpare(easy)
    // Before it is taken out, which would close the connection.
    let isKept = easy.setConnectOnly(false)
    multi.remove(easy)
    let isFree = code == CURLE_OK && easy.leaveUnusedConnection()
    let site = easy.site
    if isKept { recycle(easy) } else { easy.rest() }
    if isFree { give(site) }
    while let next = multi.sockets.queues.change(site, { $0.nextToConnect() }) {
      if let easy = running[next] { add(easy) }
    }
  }

  /// Gives a connection to `site` that is free to the first who waits for one, or makes one.
  private mutating func give(_ site: String) {
    if multi.sockets.queues.isEmpty { return }
    let running = running
    let next = multi.sockets.queues.change(site) { queue in
      let next = queue.first { running[$0]?.isConnecting ?? false }
      if let next { queue.connect(next) }
      return next
    }
    guard let next, let easy = running[next], let ticket = easy.ticket else { return }
    if case .line = easy.place { return add(easy) }
    guard let other = takeEasy() else { return }
    guard other.prepare(insteadOf: easy, for: ticket) else { return recycle(other) }
    retire(easy)
    self.running[next] = other
    add(other)
  }

  private mutating func finish(_ easy: CurlEasy, _ code: CURLcode) {
    // Which may carry streams of others.
    if spare[ObjectIdentifier(easy)] != nil { return finishSpare(easy, code) }
    if easy.hasAgedAddresses { upkeep.end(at: timeline.now) }
    multi.remove(easy)
    let failure = code == CURLE_OK ? nil : easy.reception.failure ?? easy.error(for: code)
    if easy.leaveConnection() { give(easy.site) }
    guard let ticket = easy.ticket else { return }
    if code == CURLE_COULDNT_RESOLVE_HOST, failure?.kind == .dns { return askResolver(about: easy) }
    if let failure { return settle(easy, .failure(failure)) }
    if let defect = easy.defect ?? easy.overrun { return settle(easy, .failure(defect)) }
    guard easy.reception.head.isRedirect else { return settle(easy, .success(easy.response())) }
    do throws(LoadError) {
      guard let target = easy.redirectTarget else {
        throw LoadError(.malformedResponse, "\(easy.origin) redirects to something that is no usable URL")
      }
      let policy = RedirectPolicy(
        limit: ticket.request.limits.redirects, allowsDowngrade: configuration.allowsDowngrade)
      let hop = try policy.hop(after: easy.hop, to: target)
      guard ticket.request.followsRedirects else {
        var response = easy.response()
        response.target = hop.url
        return settle(easy, .success(response))
      }
      easy.noteRedirect()
      try ticket.request.onRedirect(CanonicalURL.parse(hop.url).1)
      begin(hop, ticket, on: easy)
    } catch {
      settle(easy, .failure(error))
    }
  }

  private mutating func expire(at now: Duration) {
    alarm.clear()
    var expired: [(CurlEasy, LoadError)] = []
    var impatient: [CurlEasy] = []
    for easy in running.values {
      guard let ticket = easy.ticket else { continue }
      if ticket.deadline <= now {
        expired.append((easy, .late(easy.origin, after: ticket.request.limits.total)))
      } else if easy.isOutsideLibcurl, easy.connectDeadline <= now {
        expired.append((easy, easy.error(for: CURLE_OPERATION_TIMEDOUT)))
      } else if let end = easy.patienceEnd, end <= now {
        impatient.append(easy)
      } else if let deadline = easy.firstByteDeadline, deadline <= now {
        expired.append(
          (easy, .timeout("\(easy.origin) sent nothing within", ticket.request.limits.firstByte)))
      } else if let error = easy.overrun {
        expired.append((easy, error))
      } else {
        if easy.isOutsideLibcurl { alarm.lower(to: easy.connectDeadline) }
        let wait = easy.patienceEnd ?? easy.firstByteDeadline
        alarm.lower(to: min(ticket.deadline, wait ?? ticket.deadline))
        if easy.connection != nil { alarm.lower(to: now + easy.lookInterval) }
      }
    }
    // Who waits for the address that another looks up goes first, and does not begin to look it up itself.
    _ = expired.partition { easy, _ in !easy.waitsForAddress }
    for (easy, error) in expired { breakOff(easy, error) }
    for easy in impatient {
      guard let ticket = easy.ticket else { continue }
      multi.remove(easy)
      multi.sockets.queues.change(easy.site) { _ = $0.connect(ObjectIdentifier(ticket)) }
      if easy.waitForNobody() { add(easy) } else { settle(easy, .failure(.noTransport)) }
    }
  }

  mutating func settle(_ easy: CurlEasy, _ outcome: Result<TransportResponse, LoadError>) {
    guard let ticket = easy.ticket else { return }
    running[ObjectIdentifier(ticket)] = nil
    multi.sockets.queues.leave(ticket, at: easy.site)
    let (site, isFindingAddress) = (easy.site, easy.isFindingAddress)
    let outcome = outcome.mapError { $0.of(easy.exchange(failingWith: $0.kind)).namingName }
    recycle(easy)
    if isFindingAddress { leaveNames(of: site, ticket, outcome) }
    ticket.answer.settle(outcome)
  }
}
