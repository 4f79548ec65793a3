/// What becomes of a transfer when its last waiter leaves.
extension ByteLoader {
  nonisolated func grace(for key: FlightKey, _ body: SharedBody, _ priority: Priority) -> Duration? {
    guard let running = body.running else { return nil }
    let origin = running.key.origin
    // One whose answer had not begun shared no line: fewer at once would not have brought it sooner.
    if priority == .visible, running.headAt != nil, let most = lines.miss(from: origin) {
      events.emit(.narrowed(origin, transfers: most))
      gate.limit(origin, to: lines.places(at: origin))
    }
    let abandonment = abandonment(of: running, mayBeKept: mayKeep(running.key, key))
    if abandonment.goesOn, !body.noteLeft(running.body, with: abandonment.received) { return nil }
    events.emit(.abandoned(key.response, abandonment))
    guard abandonment.goesOn, let roundTrip = abandonment.roundTrip else { return nil }
    // What takes longer than that has not kept to what was expected of it.
    return roundTrip + abandonment.handshakes
  }

  private nonisolated func abandonment(of running: SharedBody.Running, mayBeKept: Bool) -> Abandonment {
    let (arriving, origin) = (running.body, running.key.origin)
    let (roundTrip, handshakes) = (roundTrips.mean(of: origin), roundTrips.handshakes(of: origin))
    guard arriving.head == nil, let sentAt = running.sentAt else {
      return Abandonment(
        received: arriving.count, remaining: mayBeKept ? remaining(of: arriving) : nil,
        elapsed: running.headAt.map { timeline.now - $0 } ?? .zero, roundTrip: roundTrip,
        handshakes: handshakes)
    }
    let expectation = mayBeKept ? lines.expectation(of: origin) : nil
    return Abandonment(
      expecting: expectation?.bytes, at: expectation?.rate, elapsed: timeline.now - sentAt,
      roundTrip: roundTrip, handshakes: handshakes)
  }

  /// Whether an answer could be kept, as far as the question tells.
  private nonisolated func mayKeep(_ key: ResponseKey, _ flight: FlightKey) -> Bool {
    disk != nil && key.origin.scheme != "file" && key.canonicalBytes != nil
      && !CacheControl(flight.unkeyedHeaders).noStore
  }

  /// The bytes that are missing until `arriving` can be kept; nil when it never can, or when that is not known.
  private nonisolated func remaining(of arriving: StreamingBody) -> Int? {
    guard let head = arriving.head, arriving.version != nil, head.redirects.isEmpty,
      !CacheControl(head.headers).noStore, head.headers.contentCodings.isEmpty, !arriving.goesOnCoded,
      let length = head.headers["content-length"].flatMap({ ContentRange.number($0.utf8) })
    else { return nil }
    // Of a 206, too: its length is that of the part.
    return max(0, length - arriving.count)
  }
}
