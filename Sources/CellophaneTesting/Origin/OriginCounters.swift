/// What an origin has counted so far.
public struct OriginCounters: Hashable, Sendable {
  /// Requests whose target arrived.
  public internal(set) var requests = 0
  /// Answers that left whole.
  public internal(set) var completed = 0
  /// Answers that did not: the client left, a fault was asked for, or the origin stopped.
  public internal(set) var aborted = 0
  /// The bytes of bodies handed to the kernel; for an aborted answer up to one socket buffer of them were
  /// never received.
  public internal(set) var bodyBytes = 0
  /// Connections accepted.
  public internal(set) var connections = 0
  /// Connections open now.
  public internal(set) var openConnections = 0
  /// Requests being answered now.
  public internal(set) var inFlight = 0
  /// The most requests that were being answered at once.
  public internal(set) var mostInFlight = 0
  /// How often a request came for a target that was being answered to a client still listening.
  public internal(set) var duplicatesInFlight = 0
}

/// One line of an origin's log.
public struct OriginLogEntry: Hashable, Sendable {
  /// The path and query asked for.
  public let target: String
  /// The number of the connection.
  public let connection: Int
  /// When the request arrived, since the origin started.
  public let start: Duration
  /// When its answer had left or was given up.
  public let end: Duration
  /// The bytes of the body handed to the kernel.
  public let bodyBytes: Int
  /// True when the answer was not whole.
  public let isAborted: Bool
}

/// The origin's books: counters, log and who waits for a count. Pure.
struct OriginBooks {
  private(set) var counters = OriginCounters()
  private(set) var log: [OriginLogEntry] = []
  private(set) var requestsByTarget: [String: Int] = [:]
  /// Sockets that answer a target now.
  private var answering: [String: [Int32]] = [:]

  mutating func open() -> Int {
    counters.connections += 1
    counters.openConnections += 1
    return counters.connections
  }

  mutating func close() { counters.openConnections -= 1 }

  /// Books a request and returns its number. `isGone` tells whether a socket's client has left already: one
  /// that cancelled and asked again is not answered twice at once, even when its old connection is still
  /// to be cleaned up here.
  mutating func begin(_ target: String, socket: Int32, isGone: (Int32) -> Bool) -> Int {
    counters.requests += 1
    counters.inFlight += 1
    counters.mostInFlight = max(counters.mostInFlight, counters.inFlight)
    requestsByTarget[target, default: 0] += 1
    let others = answering[target, default: []]
    if others.contains(where: { !isGone($0) }) { counters.duplicatesInFlight += 1 }
    answering[target] = others + [socket]
    return counters.requests
  }

  mutating func end(_ entry: OriginLogEntry, socket: Int32) {
    counters.inFlight -= 1
    counters.bodyBytes += entry.bodyBytes
    if entry.isAborted { counters.aborted += 1 } else { counters.completed += 1 }
    log.append(entry)
    guard var sockets = answering[entry.target], let index = sockets.firstIndex(of: socket) else { return }
    sockets.remove(at: index)
    answering[entry.target] = sockets.isEmpty ? nil : sockets
  }
}
