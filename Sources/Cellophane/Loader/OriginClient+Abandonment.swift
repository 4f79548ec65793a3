/// Decides whether a transfer continues after its last waiter has left.
extension OriginClient {
  /// Returns the time for which the transfer of `body` may continue; nil to cancel it at once.
  func grace(for key: ByteLoader.FlightKey, _ body: SharedBody, _ priority: Priority, hasDisk: Bool)
    -> Duration?
  {
    guard let running = body.running else { return nil }
    let origin = running.key.origin
    // A transfer whose response had not begun used no bandwidth: fewer at once would not have made it faster.
    if priority == .visible, running.headAt != nil, let most = links.miss(from: origin, at: timeline.now) {
      events.emit(.narrowed(origin, transfers: most))
      gate.limit(origin, to: links.limits(of: origin, at: timeline.now))
    }
    let isStorable =
      hasDisk && origin.scheme != "file" && running.key.canonicalBytes != nil
      && !CacheControl(key.unkeyedHeaders).noStore
    let abandonment = abandonment(of: running, isStorable: isStorable)
    if abandonment.goesOn, !body.noteLeft(running.body, with: abandonment.received) { return nil }
    events.emit(
      .abandoned(key.response, bytes: abandonment.received, continues: abandonment.goesOn), abandonment)
    guard abandonment.goesOn, let roundTrip = abandonment.roundTrip else { return nil }
    // A transfer that takes longer than this was estimated wrongly.
    return roundTrip + abandonment.handshakes
  }

  /// - Parameter isStorable: Whether the request allows storing the response.
  private func abandonment(of running: SharedBody.Running, isStorable: Bool) -> Abandonment {
    let (body, origin) = (running.body, running.key.origin)
    let (roundTrip, handshakes) = (links.latencies.mean(of: origin), links.latencies.handshakes(of: origin))
    guard body.head == nil, let sentAt = running.sentAt else {
      return Abandonment(
        received: body.count, remaining: isStorable ? remaining(of: body) : nil,
        elapsed: running.headAt.map { timeline.now - $0 } ?? .zero, roundTrip: roundTrip,
        handshakes: handshakes)
    }
    let expectation = isStorable ? links.expectation(of: origin) : nil
    return Abandonment(
      expecting: expectation?.bytes, at: expectation?.rate, elapsed: timeline.now - sentAt,
      roundTrip: roundTrip, handshakes: handshakes)
  }

  /// Returns the number of bytes that are missing until `body` can be stored; nil when it cannot be stored, or when the
  /// number is unknown.
  private func remaining(of body: StreamingBody) -> Int? {
    guard let head = body.head, body.version != nil, head.redirects.isEmpty,
      !CacheControl(head.headers).noStore, head.headers.contentCodings.isEmpty, !body.continuesCoded,
      let length = head.headers["content-length"].flatMap({ ContentRange.number($0.utf8) })
    else { return nil }
    // For a 206 as well: its length is that of the part.
    return max(0, length - body.count)
  }
}
