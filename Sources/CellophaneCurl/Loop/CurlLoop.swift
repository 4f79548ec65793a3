internal import CCurl

/// The event loop: one thread that owns all objects of libcurl. It shares only the mailbox with other
/// threads.
struct CurlLoop: ~Copyable {
  private let configuration: CurlTransport.Configuration
  let addresses: AddressResolution
  let timeline: Timeline
  let mailbox: CurlMailbox
  var multi: CurlMulti
  var running: [ObjectIdentifier: CurlEasy] = [:]
  /// The handles of orphaned handshakes.
  var orphans: [ObjectIdentifier: CurlEasy] = [:]
  var names: NameLookups<CurlExchange>
  var purge = AddressPurgeSchedule()
  private var pool: [CurlEasy] = []
  private var maxIdleConnections: Int
  /// The buffer for received messages, reused between iterations.
  private var messageBuffer: [CurlMailbox.Message] = []
  let nextDeadline = NextDeadline()

  /// The number of handles kept for reuse. 64: the maximum in use by a busy loader; one takes about 70 KB.
  private static let maxPooled = 64
  /// The number of times that messages are handled before the sockets. 16: a load consists of a dozen jobs,
  /// one after the other.
  private static let maxMessageRounds = 16
  /// The time of jobs after which the sockets are polled again. 100 ms: short compared with any time limit.
  private static let maxPollDelay = Duration.milliseconds(100)

  init?(
    _ configuration: CurlTransport.Configuration, _ addresses: AddressResolution, _ timeline: Timeline,
    _ mailbox: CurlMailbox
  ) {
    guard let multi = CurlMulti(configuration, timeline) else { return nil }
    self.configuration = configuration
    self.addresses = addresses
    self.timeline = timeline
    self.mailbox = mailbox
    names = NameLookups(limit: multi.maxLookups)
    self.multi = multi
    maxIdleConnections = configuration.maxIdleConnections
    mailbox.setWakeup(self.multi.wakeup)
  }

  /// Runs until the mailbox is closed, then fails all remaining exchanges.
  mutating func run() {
    while takeMessages() {
      multi.perform()
      takeAddresses()
      while let (easy, code) = multi.nextFinished() { finish(easy, code) }
      let now = timeline.now
      if now >= nextDeadline.time { expire(at: now) }
      // A minute is only a bound; nothing waits for it.
      multi.wait(atMost: mailbox.fallAsleep() ? min(nextDeadline.time - now, .seconds(60)) : .zero)
    }
    mailbox.setWakeup(nil)
    for easy in [orphans.values, running.values].joined() {
      easy.exchange?.close()
      multi.remove(easy)
      easy.reset()
    }
  }

  /// Handles the messages of other threads; false after the last one.
  private mutating func takeMessages() -> Bool {
    let begin = timeline.now
    var messages: [CurlMailbox.Message] = []
    swap(&messages, &messageBuffer)
    defer { swap(&messages, &messageBuffer) }
    // Jobs post further messages, while the sockets wait.
    for _ in 0..<Self.maxMessageRounds {
      let isClosed = mailbox.take(into: &messages)
      let isEmpty = messages.isEmpty
      for message in messages {
        switch message {
        case .start(let exchange): start(exchange)
        case .cancel(let exchange): cancel(exchange)
        case .job(let job): job.run()
        case .resolved(let exchange, let authority, let lacksAddress):
          takeResult(exchange, of: authority, lacksAddress)
        }
      }
      // The loop retains no message while it sleeps.
      messages.removeAll(keepingCapacity: true)
      if isClosed { return false }
      if isEmpty { break }
    }
    // Data that arrived during the jobs must not count as late.
    if timeline.now - begin > Self.maxPollDelay { multi.wait(atMost: .zero) }
    return true
  }

  private mutating func start(_ exchange: CurlExchange) {
    if exchange.result.isSettled { return }
    guard let easy = takeEasy() else {
      exchange.result.settle(.failure(.noTransport))
      return
    }
    nextDeadline.lower(to: exchange.deadline)
    running[ObjectIdentifier(exchange)] = easy
    if running.count > maxIdleConnections {
      maxIdleConnections = running.count
      multi.keep(maxIdleConnections)
    }
    let request = exchange.request
    begin(
      RedirectPolicy.Hop(url: request.url, headers: request.headers, redirects: request.redirects),
      exchange, on: easy)
  }

  mutating func takeEasy() -> CurlEasy? {
    pool.popLast() ?? CurlEasy(configuration, addresses, timeline, nextDeadline, multi.sockets)
  }

  private mutating func begin(_ hop: RedirectPolicy.Hop, _ exchange: CurlExchange, on easy: CurlEasy) {
    guard easy.prepare(hop, for: exchange) else { return settle(easy, .failure(.noTransport)) }
    findAddress(for: easy, exchange)
  }

  private mutating func cancel(_ exchange: CurlExchange) {
    guard let easy = running[ObjectIdentifier(exchange)] else { return }
    abort(easy, .cancelled)
  }

  /// Ends an unfinished hop. Its handshakes, if any, continue.
  mutating func abort(_ easy: CurlEasy, _ error: LoadError) {
    guard let exchange = easy.exchange else { return }
    running[ObjectIdentifier(exchange)] = nil
    multi.sockets.queues.leave(exchange, at: easy.authority)
    let error = easy.report(error, of: exchange)
    let (authority, abandonsLookup) = (easy.authority, easy.isFindingAddress && !easy.isResolving)
    retire(easy)
    // Its timeout is not a result about the name.
    if abandonsLookup { release(names.leave(authority, by: exchange)) }
    exchange.result.settle(.failure(error))
  }

  mutating func recycle(_ easy: CurlEasy) {
    easy.reset()
    if pool.count < Self.maxPooled { pool.append(easy) }
  }

  private mutating func finish(_ easy: CurlEasy, _ code: CURLcode) {
    // Its connection may carry streams of other hops.
    if orphans[ObjectIdentifier(easy)] != nil { return finishOrphan(easy, code) }
    if easy.hasPurgedAddresses { purge.noteScan(at: timeline.now) }
    multi.remove(easy)
    easy.endHead(refusedWith: code)
    let isResponse = code == CURLE_OK || easy.parser.hasStatusOnly
    let failure = isResponse ? nil : easy.parser.failure ?? easy.error(for: code)
    noteUse(of: easy, code)
    if easy.releaseConnection() { offerConnection(easy.authority) }
    if code == CURLE_COULDNT_RESOLVE_HOST, failure?.kind == .dns { return askResolver(about: easy) }
    if let failure = failure ?? easy.defect { return settle(easy, .failure(failure)) }
    takeResponse(of: easy)
  }

  /// Ends a hop whose status is its whole result, although its page is not complete.
  mutating func leavePage(of easy: CurlEasy) {
    multi.remove(easy)
    _ = easy.releaseConnection()
    takeResponse(of: easy)
  }

  /// Returns the response of a hop to its caller, or follows the redirect.
  private mutating func takeResponse(of easy: CurlEasy) {
    guard let exchange = easy.exchange else { return }
    guard easy.parser.head.isRedirect else { return settle(easy, .success(easy.response())) }
    do throws(LoadError) {
      guard let target = easy.redirectTarget else {
        throw LoadError(.malformedResponse, "\(easy.origin) redirects to an invalid URL")
      }
      let policy = RedirectPolicy(
        limit: exchange.request.limits.redirects, allowsDowngrade: configuration.allowsDowngrade)
      let hop = try policy.hop(after: easy.hop, to: target)
      guard exchange.request.followsRedirects else {
        var response = easy.response()
        response.target = hop.url
        return settle(easy, .success(response))
      }
      easy.noteRedirect()
      let origin = try CanonicalURL.parse(hop.url).1
      try configuration.addresses.check(origin)
      try exchange.request.onRedirect(origin)
      begin(hop, exchange, on: easy)
    } catch {
      settle(easy, .failure(error))
    }
  }

  mutating func settle(_ easy: CurlEasy, _ outcome: Result<TransportResponse, LoadError>) {
    guard let exchange = easy.exchange else { return }
    running[ObjectIdentifier(exchange)] = nil
    multi.sockets.queues.leave(exchange, at: easy.authority)
    let (authority, isFindingAddress) = (easy.authority, easy.isFindingAddress)
    let outcome = outcome.mapError { easy.report($0, of: exchange) }
    recycle(easy)
    if isFindingAddress { leaveNames(of: authority, exchange, outcome) }
    exchange.result.settle(outcome)
  }
}
