internal import CCurl

/// The moment when the loop next looks for deadlines that have passed: never later than the earliest one.
final class DeadlineAlarm {
  private(set) var time = never
  private static let never = Duration.seconds(Int64.max)

  func lower(to other: Duration) { time = min(time, other) }

  func clear() { time = Self.never }
}

/// The event loop: one thread that owns everything of libcurl. Nothing here is shared but the mailbox.
struct CurlLoop: ~Copyable {
  private let configuration: CurlTransport.Configuration
  private let isPublic: ([UInt8]) -> Bool
  private let timeline: Timeline
  private let mailbox: CurlMailbox
  private let multi: CurlMulti
  private var running: [ObjectIdentifier: CurlEasy] = [:]
  private var pool: [CurlEasy] = []
  private let alarm = DeadlineAlarm()

  /// Handles kept for reuse. 64: the most a busy loader has in flight; one costs about 70 KB.
  private static let largestPool = 64

  init?(
    _ configuration: CurlTransport.Configuration, _ isPublic: @escaping ([UInt8]) -> Bool,
    _ timeline: Timeline, _ mailbox: CurlMailbox
  ) {
    guard let multi = CurlMulti(configuration, timeline) else { return nil }
    self.configuration = configuration
    self.isPublic = isPublic
    self.timeline = timeline
    self.mailbox = mailbox
    self.multi = multi
    mailbox.setBell(self.multi.bell)
  }

  /// Works until the mailbox is closed, then answers everything that is left with a cancellation.
  mutating func run() {
    while true {
      let (messages, isClosed) = mailbox.take()
      for message in messages {
        switch message {
        case .start(let ticket): start(ticket)
        case .cancel(let ticket): cancel(ticket)
        }
      }
      if isClosed { break }
      multi.perform()
      while let (easy, code) = multi.nextFinished() { finish(easy, code) }
      let now = timeline.now
      if now >= alarm.time { expire(at: now) }
      // A minute: only a bound, nothing waits for it.
      if mailbox.fallAsleep() { multi.wait(atMost: min(alarm.time - now, .seconds(60))) }
    }
    mailbox.setBell(nil)
    for easy in running.values {
      multi.remove(easy)
      easy.ticket?.close()
    }
  }

  private mutating func start(_ ticket: CurlTicket) {
    if ticket.answer.isSettled { return }
    guard let easy = pool.popLast() ?? CurlEasy(configuration, isPublic, timeline, alarm, multi.sockets)
    else {
      ticket.answer.settle(.failure(.noTransport))
      return
    }
    alarm.lower(to: ticket.deadline)
    running[ObjectIdentifier(ticket)] = easy
    begin(RedirectPolicy.Hop(url: ticket.request.url, headers: ticket.request.headers), ticket, on: easy)
  }

  private mutating func begin(_ hop: RedirectPolicy.Hop, _ ticket: CurlTicket, on easy: CurlEasy) {
    multi.sockets.breakThoseThatSpeak()
    guard easy.prepare(hop, for: ticket), multi.add(easy) else {
      return settle(easy, .failure(.noTransport))
    }
  }

  private mutating func cancel(_ ticket: CurlTicket) {
    guard let easy = running[ObjectIdentifier(ticket)] else { return }
    multi.remove(easy)
    settle(easy, .failure(.cancelled))
  }

  private mutating func finish(_ easy: CurlEasy, _ code: CURLcode) {
    multi.remove(easy)
    let overrun = easy.overrun
    let failure = code == CURLE_OK ? nil : easy.reception.failure ?? easy.error(for: code)
    easy.leaveConnection()
    guard let ticket = easy.ticket else { return }
    if let failure { return settle(easy, .failure(failure)) }
    if let defect = easy.defect ?? overrun { return settle(easy, .failure(defect)) }
    guard easy.reception.head.isRedirect else { return settle(easy, .success(easy.response())) }
    do throws(LoadError) {
      guard let target = easy.redirectTarget else {
        throw LoadError(.malformedResponse, "\(easy.origin) redirects to something that is no usable URL")
      }
      easy.noteRedirect()
      let policy = RedirectPolicy(
        limit: ticket.request.limits.redirects, allowsDowngrade: configuration.allowsDowngrade)
      let hop = try policy.hop(after: easy.hop, to: target)
      try ticket.request.onRedirect(CanonicalURL.parse(hop.url).1)
      begin(hop, ticket, on: easy)
    } catch {
      settle(easy, .failure(error))
    }
  }

  private mutating func expire(at now: Duration) {
    alarm.clear()
    var expired: [(CurlEasy, LoadError)] = []
    for easy in running.values {
      guard let ticket = easy.ticket else { continue }
      if ticket.deadline <= now {
        expired.append((easy, .late(easy.origin, after: ticket.request.limits.total)))
      } else if let deadline = easy.firstByteDeadline, deadline <= now {
        expired.append(
          (easy, .timeout("\(easy.origin) sent nothing within", ticket.request.limits.firstByte)))
      } else if let error = easy.overrun {
        expired.append((easy, error))
      } else {
        alarm.lower(to: min(ticket.deadline, easy.firstByteDeadline ?? ticket.deadline))
        if easy.connection != nil { alarm.lower(to: now + easy.lookInterval) }
      }
    }
    for (easy, error) in expired {
      multi.remove(easy)
      settle(easy, .failure(error))
    }
  }

  private mutating func settle(_ easy: CurlEasy, _ outcome: Result<TransportResponse, LoadError>) {
    guard let ticket = easy.ticket else { return }
    running[ObjectIdentifier(ticket)] = nil
    let stage = easy.stage
    easy.rest()
    if pool.count < Self.largestPool { pool.append(easy) }
    ticket.answer.settle(outcome.mapError { $0.at($0.kind == .tls ? .tls : stage) })
  }
}
