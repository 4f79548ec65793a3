/// The connections of one client to one origin. Pure: time comes in as a parameter, in ns.
struct ConnectionPool {
  /// How exchanges share connections.
  enum Sharing: Sendable, Hashable {
    /// HTTP/1.1: one exchange at a time over each, the one used last is used first; at most so many connections,
    /// without a limit as many as there are exchanges.
    case http1(limit: Int?)
    /// HTTP/2: all over one.
    case http2
  }

  /// Where an exchange goes on.
  struct Place: Sendable, Equatable {
    /// The connection's number, from 1.
    let connection: Int
    /// True for the exchange that opens it.
    let isNew: Bool
    /// When the handshakes are over.
    let ready: Int64
  }

  /// The most streams at once over a connection: the least that RFC 9113, section 6.5.2 recommends, and what most
  /// servers allow.
  static let mostStreams = 100

  private let sharing: Sharing
  /// How long the handshakes take, in ns.
  private let setup: Int64
  private var idle: [Int] = []
  private var shared: (connection: Int, ready: Int64)?
  private var busy = 0
  /// How many were opened.
  private(set) var opened = 0
  /// The most exchanges that had a place at once.
  private(set) var mostBusy = 0

  /// No connections.
  init(_ sharing: Sharing, setup: Duration = .zero) {
    self.sharing = sharing
    self.setup = setup.wholeNanoseconds
  }

  /// A place for an exchange; nil when all are taken.
  mutating func take(at now: Int64) -> Place? {
    switch sharing {
    case .http1(let limit):
      if let last = idle.popLast() {
        noteBusy()
        return Place(connection: last, isNew: false, ready: now)
      }
      if let limit, busy >= limit { return nil }
    case .http2:
      if busy >= Self.mostStreams { return nil }
      if let shared {
        noteBusy()
        return Place(connection: shared.connection, isNew: false, ready: max(now, shared.ready))
      }
    }
    noteBusy()
    opened += 1
    let place = Place(connection: opened, isNew: true, ready: now + setup)
    if sharing == .http2 { shared = (place.connection, place.ready) }
    return place
  }

  /// Gives a place back. False when its connection is closed by that: over HTTP/1.1 what is still on its way of an
  /// exchange that was not whole is in the way of the next.
  mutating func giveBack(_ place: Place, isClear: Bool) -> Bool {
    busy -= 1
    switch sharing {
    case .http2: return true
    case .http1:
      if isClear { idle.append(place.connection) }
      return isClear
    }
  }

  private mutating func noteBusy() {
    busy += 1
    mostBusy = max(mostBusy, busy)
  }
}
