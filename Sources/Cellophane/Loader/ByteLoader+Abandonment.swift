/// What becomes of a transfer when its last waiter leaves.
extension ByteLoader {
  nonisolated func grace(for key: FlightKey, _ body: FlightBody) -> Duration? {
    guard let (arriving, headAt) = body.running else { return nil }
    let abandonment = Abandonment(
      received: arriving.count, remaining: remaining(of: arriving, for: key),
      elapsed: headAt.map { timeline.now - $0 } ?? .zero, roundTrip: roundTrips.mean(of: key.response.origin))
    events.emit(.abandoned(key.response, abandonment))
    guard abandonment.goesOn else { return nil }
    body.noteLeft(with: abandonment.received)
    // What takes longer than that has not kept to what was expected of it.
    return abandonment.roundTrip
  }

  /// The bytes that are missing until `arriving` can be kept; nil when it never can, or when that is not known.
  private nonisolated func remaining(of arriving: ArrivingBody, for key: FlightKey) -> Int? {
    guard disk != nil, key.response.origin.scheme != "file", key.response.canonicalBytes != nil,
      !CacheControl(key.unkeyedHeaders).noStore, let head = arriving.head, arriving.snapshot.version != nil,
      head.redirects.isEmpty, !CacheControl(head.headers).noStore, head.headers["content-encoding"] == nil,
      let length = head.headers["content-length"].flatMap({ ContentRange.number($0.utf8) })
    else { return nil }
    // Of a 206, too: its length is that of the part.
    return max(0, length - arriving.count)
  }
}
