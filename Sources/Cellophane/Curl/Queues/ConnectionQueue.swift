/// Who waits for a connection to one origin while some are being made. Pure.
///
/// A connection that is being made is the origin's, not the request's that it was begun for, as in Chromium's socket
/// pools: when that one leaves, the handshakes go on for nobody, and the first who waits takes whichever connection is
/// free first. Otherwise a list that is scrolled past a row in less time than the handshakes take would never have a
/// connection.
package struct ConnectionQueue<Request: Hashable & Sendable>: Sendable {
  /// How a request that found no free connection gets one.
  package enum Way: Sendable, Equatable {
    /// It makes one.
    case connect
    /// It waits for one that is being made for nobody.
    case wait
  }

  private struct Place {
    let request: Request
    var way: Way
  }

  /// The most connections that are made for nobody at once, unless connections are limited: what a loader lets through
  /// to one origin, and what browsers open to one host.
  private static var mostSpare: Int { 6 }

  /// How many in the line are looked at for one who takes a connection. 64: as many as a transport keeps; what is behind
  /// them waits inside libcurl, which gives what is free to the first of those.
  private static var reach: Int { 64 }

  private let mostSpare: Int
  /// In the order of arrival.
  private var line: [Place] = []
  /// Those that wait.
  private var waiting = 0
  /// The connections that are being made for nobody.
  package private(set) var spare = 0

  /// An empty queue for an origin to which there are at most so many connections; nil for no limit.
  package init(limit: Int?) { mostSpare = limit ?? Self.mostSpare }

  /// How long a request waits for a connection that is made for nobody before it makes one of its own. 1 s: then the
  /// first packet would be sent again (RFC 6298), so that something of those handshakes was lost, or the network
  /// changed under them.
  package static var patience: Duration { .seconds(1) }

  /// How many wait or make one.
  package var count: Int { line.count }

  /// Whether nobody waits here, and nothing is being made for nobody.
  package var isEmpty: Bool { line.isEmpty && spare == 0 }

  /// Whether a connection is being made that nobody waits for.
  package var hasUnclaimed: Bool { spare > waiting }

  /// Puts a request at the end of the line.
  package mutating func join(_ request: Request, _ way: Way) {
    line.append(Place(request: request, way: way))
    if way == .wait { waiting += 1 }
  }

  /// Takes a request out of the line: it has a connection, or wants none any more.
  package mutating func leave(_ request: Request) {
    guard let index = line.firstIndex(where: { $0.request == request }) else { return }
    if line.remove(at: index).way == .wait { waiting -= 1 }
  }

  /// Whether the handshakes of a request that left, or found another connection, go on for nobody; if so, counts them.
  package mutating func keep() -> Bool {
    guard spare < mostSpare else { return false }
    spare += 1
    return true
  }

  /// Notes that a connection that was made for nobody is there, or failed.
  package mutating func endSpare() { spare -= 1 }

  /// The first who takes a connection that is free: who waits, or who makes one and `isStillMaking` it.
  package func first(where isStillMaking: (Request) -> Bool) -> Request? {
    // Mostly nobody is there.
    if line.isEmpty { return nil }
    return line.prefix(Self.reach).first { $0.way == .wait || isStillMaking($0.request) }?.request
  }

  /// The first who must make a connection after all, because more wait than connections are made for nobody; changes its
  /// way.
  package mutating func nextToConnect() -> Request? {
    guard waiting > spare, let next = line.first(where: { $0.way == .wait })?.request else { return nil }
    connect(next)
    return next
  }

  /// Lets a request that waits make a connection, or take one; false when it does not wait.
  @discardableResult
  package mutating func connect(_ request: Request) -> Bool {
    guard let index = line.firstIndex(where: { $0.request == request }), line[index].way == .wait else {
      return false
    }
    line[index].way = .connect
    waiting -= 1
    return true
  }
}
