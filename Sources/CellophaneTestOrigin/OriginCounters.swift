/// Numbers of requests, responses and connections of an origin.
public struct OriginCounters: Hashable, Sendable {
  /// Requests whose target has arrived.
  public internal(set) var requests = 0
  /// Responses that were sent to their end.
  public internal(set) var completed = 0
  /// Responses that were not: the client closed, the handler requested a fault, or the origin stopped.
  public internal(set) var aborted = 0
  /// Body bytes passed to the kernel. The client of an aborted response may have received less, by up to one socket
  /// buffer.
  public internal(set) var bodyBytes = 0
  /// Connections accepted.
  public internal(set) var connections = 0
  /// Connections open now.
  public internal(set) var openConnections = 0
  /// Requests in progress now.
  public internal(set) var inFlight = 0
  /// The peak of concurrent requests.
  public internal(set) var peakInFlight = 0
  /// Requests for a target that was in progress for another client that was still connected.
  public internal(set) var duplicatesInFlight = 0
}

/// One entry of an origin's log.
public struct OriginLogEntry: Hashable, Sendable {
  /// The requested path and query.
  public let target: String
  /// The number of the connection.
  public let connection: Int
  /// The arrival of the request, since the start of the origin.
  public let start: Duration
  /// The end of the response, or its cancellation.
  public let end: Duration
  /// The body bytes passed to the kernel.
  public let bodyBytes: Int
  /// True when the response was not sent to its end.
  public let isAborted: Bool
}

/// The statistics of an origin: counters and log. Pure.
struct OriginStatistics {
  private(set) var counters = OriginCounters()
  private(set) var log: [OriginLogEntry] = []
  private(set) var requestsByTarget: [String: Int] = [:]
  /// The sockets on which a target is in progress.
  private var socketsInProgress: [String: [Int32]] = [:]

  mutating func open() -> Int {
    counters.connections += 1
    counters.openConnections += 1
    return counters.connections
  }

  mutating func close() { counters.openConnections -= 1 }

  /// Records a request and returns its number. `isGone` returns true when the client of a socket has closed. A client
  /// that cancels and requests the target again is then no duplicate, even when its old connection is not removed yet.
  mutating func begin(_ target: String, socket: Int32, isGone: (Int32) -> Bool) -> Int {
    counters.requests += 1
    counters.inFlight += 1
    counters.peakInFlight = max(counters.peakInFlight, counters.inFlight)
    requestsByTarget[target, default: 0] += 1
    let others = socketsInProgress[target, default: []]
    if others.contains(where: { !isGone($0) }) { counters.duplicatesInFlight += 1 }
    socketsInProgress[target] = others + [socket]
    return counters.requests
  }

  mutating func end(_ entry: OriginLogEntry, socket: Int32) {
    counters.inFlight -= 1
    counters.bodyBytes += entry.bodyBytes
    if entry.isAborted { counters.aborted += 1 } else { counters.completed += 1 }
    log.append(entry)
    guard var sockets = socketsInProgress[entry.target], let index = sockets.firstIndex(of: socket) else {
      return
    }
    sockets.remove(at: index)
    socketsInProgress[entry.target] = sockets.isEmpty ? nil : sockets
  }
}
