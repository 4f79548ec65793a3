/// The requests that need a connection to one origin while connections are being set up. Pure.
///
/// A connection in setup belongs to the origin, not to the request that started it, as in Chromium's socket
/// pools. If that request is cancelled, its handshakes continue as an orphaned handshake, and the first
/// request in the queue takes the next free connection. Otherwise a list in which each row is visible for
/// less than the handshakes take would never get a connection.
package struct ConnectionQueue<Request: Hashable & Sendable>: Sendable {
  /// The way in which a request gets a connection if none is free.
  package enum Acquisition: Sendable, Equatable {
    /// It sets up a connection.
    case connect
    /// It waits for an orphaned handshake.
    case wait
  }

  private struct Entry {
    let request: Request
    var acquisition: Acquisition
  }

  /// The maximum number of orphaned handshakes if connections are not limited. 6: the number of transfers
  /// that a loader allows for one origin, and of connections that browsers open to one host.
  private static var maxOrphans: Int { 6 }

  /// The number of entries that ``first(where:)`` examines. 64: the number of idle connections that a
  /// transport keeps. Requests behind them wait inside libcurl, which gives a free connection to the first of
  /// them.
  private static var scanLimit: Int { 64 }

  private let maxOrphans: Int
  /// In order of arrival.
  private var entries: [Entry] = []
  /// The number of requests that wait for an orphaned handshake.
  private var waiting = 0
  /// The number of orphaned handshakes.
  package private(set) var orphans = 0

  /// Creates an empty queue for an origin with at most `limit` connections; nil for no limit.
  package init(limit: Int?) { maxOrphans = limit ?? Self.maxOrphans }

  /// The maximum time that a request waits for an orphaned handshake before it sets up a connection itself. 1
  /// s: TCP then retransmits the first packet (RFC 6298), so a packet of those handshakes was lost, or the
  /// network has changed.
  package static var maxWait: Duration { .seconds(1) }

  /// The number of requests that wait for or set up a connection.
  package var count: Int { entries.count }

  /// True if no request and no orphaned handshake is registered.
  package var isEmpty: Bool { entries.isEmpty && orphans == 0 }

  /// True if there are more orphaned handshakes than requests that wait for one.
  package var hasUnclaimedOrphan: Bool { orphans > waiting }

  /// Appends a request.
  package mutating func join(_ request: Request, _ acquisition: Acquisition) {
    entries.append(Entry(request: request, acquisition: acquisition))
    if acquisition == .wait { waiting += 1 }
  }

  /// Removes a request that has a connection or no longer needs one.
  package mutating func leave(_ request: Request) {
    guard let index = entries.firstIndex(where: { $0.request == request }) else { return }
    if entries.remove(at: index).acquisition == .wait { waiting -= 1 }
  }

  /// Registers the handshakes of a request that was cancelled or found another connection as orphaned; false
  /// if there are too many already.
  package mutating func addOrphan() -> Bool {
    guard orphans < maxOrphans else { return false }
    orphans += 1
    return true
  }

  /// Records that an orphaned handshake succeeded or failed.
  package mutating func removeOrphan() { orphans -= 1 }

  /// Returns the first request that can take a free connection: one that waits, or one that sets up a
  /// connection and `isConnecting`.
  package func first(where isConnecting: (Request) -> Bool) -> Request? {
    // The usual case.
    if entries.isEmpty { return nil }
    return entries.prefix(Self.scanLimit).first { $0.acquisition == .wait || isConnecting($0.request) }?
      .request
  }

  /// Returns the first waiting request that must set up a connection, because fewer orphaned handshakes than
  /// waiting requests are left; changes its acquisition.
  package mutating func nextToConnect() -> Request? {
    guard waiting > orphans, let next = entries.first(where: { $0.acquisition == .wait })?.request else {
      return nil
    }
    connect(next)
    return next
  }

  /// Makes a waiting request set up a connection, or take one; false if it does not wait.
  @discardableResult
  package mutating func connect(_ request: Request) -> Bool {
    guard let index = entries.firstIndex(where: { $0.request == request }),
      entries[index].acquisition == .wait
    else {
      return false
    }
    entries[index].acquisition = .connect
    waiting -= 1
    return true
  }
}
