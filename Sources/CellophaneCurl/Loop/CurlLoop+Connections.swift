internal import CCurl

/// The connections of hops: the queue for them, orphaned handshakes and free connections.
extension CurlLoop {
  /// Appends a hop, whose address is known or to be looked up, to the queue for a connection.
  mutating func join(_ easy: CurlEasy) {
    guard let exchange = easy.exchange else { return }
    let (now, sockets) = (timeline.now, multi.sockets)
    easy.connectDeadline = now + exchange.request.limits.connect
    switch sockets.queues.join(exchange, at: easy.authority, hasFree: { sockets.hasFree(easy.authority) }) {
    case .connect: add(easy)
    case .wait:
      easy.phase = .queued(since: now)
      nextDeadline.lower(to: min(now + ConnectionQueues.Queue.maxWait, easy.connectDeadline))
    }
  }

  /// Gives a prepared hop to libcurl, which uses a free connection or sets one up.
  mutating func add(_ easy: CurlEasy) {
    let now = timeline.now
    easy.phase = .running(since: now)
    if easy.mayMultiplex { nextDeadline.lower(to: now + ConnectionQueues.Queue.maxWait) }
    guard easy.setConnectTime(easy.connectDeadline - now), easy.setAddressPurge(purge.isDue(at: now)),
      multi.add(easy)
    else {
      return settle(easy, .failure(.noTransport))
    }
  }

  /// Continues the handshakes of a handle as orphaned, if it has any and there are not too many; otherwise
  /// ends them.
  mutating func retire(_ easy: CurlEasy) {
    if easy.isConnecting, multi.sockets.queues.addOrphan(easy.authority) {
      orphans[ObjectIdentifier(easy)] = easy
      if easy.continueWithoutExchange() { return }
      removeOrphan(easy)
    }
    multi.remove(easy)
    recycle(easy)
  }

  private mutating func removeOrphan(_ easy: CurlEasy) {
    orphans[ObjectIdentifier(easy)] = nil
    multi.sockets.queues.removeOrphan(easy.authority)
  }

  /// Handles the success or failure of an orphaned handshake.
  mutating func finishOrphan(_ easy: CurlEasy, _ code: CURLcode) {
    removeOrphan(easy)
    // Before its removal, which would close the connection.
    let isKept = easy.setConnectOnly(false)
    multi.remove(easy)
    let isFree = code == CURLE_OK && easy.releaseUnusedConnection()
    let authority = easy.authority
    if isKept { recycle(easy) } else { easy.reset() }
    if isFree { offerConnection(authority) }
    while let next = multi.sockets.queues.change(authority, { $0.nextToConnect() }) {
      if let easy = running[next] { add(easy) }
    }
  }

  /// Records the end of a hop on its connection.
  func noteUse(of easy: CurlEasy, _ code: CURLcode) {
    guard let connection = easy.connection else { return }
    if code == CURLE_OK {
      connection.allowance?.finish(limit: easy.bodyLimit, length: easy.receivedBytes)
    } else if easy.mayUseHTTP2, easy.isFlooded(code) {
      multi.sockets.avoidHTTP2(easy.authority, at: timeline.now)
    }
  }

  /// Gives a free connection to `authority` to the first hop that waits for one or sets one up.
  mutating func offerConnection(_ authority: String) {
    if multi.sockets.queues.isEmpty { return }
    let running = running
    let next = multi.sockets.queues.change(authority) { queue in
      let next = queue.first { running[$0]?.isConnecting ?? false }
      if let next { queue.connect(next) }
      return next
    }
    guard let next, let easy = running[next], let exchange = easy.exchange else { return }
    if case .queued = easy.phase { return add(easy) }
    guard let other = takeEasy() else { return }
    guard other.prepare(insteadOf: easy, for: exchange) else { return recycle(other) }
    retire(easy)
    self.running[next] = other
    add(other)
  }
}
