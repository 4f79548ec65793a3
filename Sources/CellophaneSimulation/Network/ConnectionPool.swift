/// The connections of one client to one origin, HTTP/1.1: one exchange at a time over each, the one used last is
/// used first. Pure: time comes in as a parameter, in ns.
struct ConnectionPool {
  /// A connection without an exchange.
  struct Connection: Equatable {
    /// True before its first exchange, which pays for the handshake.
    let isNew: Bool
    /// The congestion window, in bytes.
    let window: Int
  }

  private struct Idle {
    let window: Int
    let since: Int64
  }

  /// How long a connection may be idle before its window is small again, in ns: the least retransmission timeout
  /// (RFC 5681, section 4.1; RFC 6298, section 2.4).
  static let windowLifetime: Int64 = 1_000_000_000

  private let limit: Int?
  private var idle: [Idle] = []
  private var busy = 0
  /// The most that were open at once.
  private(set) var mostOpen = 0
  /// How many were opened.
  private(set) var opened = 0

  /// No connections; at most `limit` at once, without one as many as there are exchanges.
  init(limit: Int?) { self.limit = limit }

  /// A connection for an exchange; nil when all are busy.
  mutating func take(at now: Int64) -> Connection? {
    if let last = idle.popLast() {
      busy += 1
      let isRested = now - last.since > Self.windowLifetime
      return Connection(isNew: false, window: isRested ? FlowNetwork.initialWindow : last.window)
    }
    if let limit, busy >= limit { return nil }
    busy += 1
    opened += 1
    mostOpen = max(mostOpen, busy)
    return Connection(isNew: true, window: FlowNetwork.initialWindow)
  }

  /// Gives a connection back after an exchange that was whole.
  mutating func giveBack(window: Int, at now: Int64) {
    busy -= 1
    idle.append(Idle(window: window, since: now))
  }

  /// Closes a connection: what is still on its way over it is in the way of the next exchange.
  mutating func close() { busy -= 1 }
}
