internal import CCurl

/// The deadlines of hops.
extension CurlLoop {
  /// Ends the hops whose time is over, and sets the next deadline. A hop that has waited too long for an orphaned
  /// handshake sets up a connection itself.
  mutating func expire(at now: Duration) {
    nextDeadline.clear()
    var expired: [(CurlEasy, LoadError)] = []
    var overdue: [CurlEasy] = []
    var useless: [CurlEasy] = []
    for easy in running.values {
      guard let exchange = easy.exchange else { continue }
      if let deadline = easy.pageDeadline.map({ min($0, exchange.deadline) }) {
        if deadline <= now || easy.overrun != nil {
          useless.append(easy)
        } else {
          nextDeadline.lower(to: min(deadline, now + easy.checkInterval))
        }
      } else if exchange.deadline <= now {
        expired.append((easy, .late(easy.origin, after: exchange.request.limits.total)))
      } else if easy.isOutsideLibcurl, easy.connectDeadline <= now {
        expired.append((easy, easy.error(for: CURLE_OPERATION_TIMEDOUT)))
      } else if let end = easy.waitEnd, end <= now {
        overdue.append(easy)
      } else if let deadline = easy.firstByteDeadline, deadline <= now {
        expired.append(
          (easy, .timeout("\(easy.origin) sent no response within", exchange.request.limits.firstByte)))
      } else if let error = easy.overrun {
        expired.append((easy, error))
      } else {
        if easy.isOutsideLibcurl { nextDeadline.lower(to: easy.connectDeadline) }
        let next = easy.waitEnd ?? easy.firstByteDeadline
        nextDeadline.lower(to: min(exchange.deadline, next ?? exchange.deadline))
        guard let connection = easy.connection else { continue }
        if easy.mayUseHTTP2, connection.isFlooded { multi.sockets.breakConnection(connection) }
        nextDeadline.lower(to: now + easy.checkInterval)
      }
    }
    // Hops that wait for a lookup by another expire first, so that they do not start the lookup themselves.
    _ = expired.partition { easy, _ in !easy.waitsForAddress }
    for (easy, error) in expired { abort(easy, error) }
    for easy in useless { leavePage(of: easy) }
    for easy in overdue {
      guard let exchange = easy.exchange else { continue }
      multi.remove(easy)
      multi.sockets.queues.change(easy.authority) { _ = $0.connect(ObjectIdentifier(exchange)) }
      if easy.stopWaiting() { add(easy) } else { settle(easy, .failure(.noTransport)) }
    }
  }
}
