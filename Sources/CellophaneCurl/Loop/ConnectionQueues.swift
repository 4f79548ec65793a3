/// The connection queues of all authorities that have one. Confined to the loop's thread.
final class ConnectionQueues {
  typealias Queue = ConnectionQueue<ObjectIdentifier>

  private var queues: [String: Queue] = [:]
  private let connectionsPerHost: Int?
  /// The maximum number of orphaned handshakes to all hosts: the number of connections kept, and at most half
  /// of the connections that can be opened.
  private let maxOrphans: Int
  private var orphans = 0

  /// Creates an empty table for a transport that can open `capacity` connections.
  init(_ configuration: CurlTransport.Configuration, capacity: Int) {
    connectionsPerHost = configuration.connectionsPerHost
    maxOrphans = min(configuration.maxIdleConnections, capacity / 2)
  }

  /// True if no request and no orphaned handshake is registered; the usual case.
  var isEmpty: Bool { queues.isEmpty }

  /// Returns the result of `body` on the queue of `authority`, which it may change.
  func change<Value>(_ authority: String, _ body: (inout Queue) -> Value) -> Value {
    guard let index = queues.index(forKey: authority) else {
      var queue = Queue(limit: connectionsPerHost)
      let value = body(&queue)
      if !queue.isEmpty { queues[authority] = queue }
      return value
    }
    // In place, because a copy of a queue would copy its entries.
    let value = body(&queues.values[index])
    if queues.values[index].isEmpty { queues.remove(at: index) }
    return value
  }

  /// Appends `exchange` to the queue of `authority` and returns whether it sets up a connection or waits for
  /// one.
  ///
  /// - Parameter hasFree: Returns whether a connection is free.
  func join(_ exchange: CurlExchange, at authority: String, hasFree: () -> Bool) -> Queue.Acquisition {
    change(authority) { queue in
      let acquisition = queue.hasUnclaimedOrphan && !hasFree() ? Queue.Acquisition.wait : .connect
      queue.join(ObjectIdentifier(exchange), acquisition)
      return acquisition
    }
  }

  /// Removes `exchange` from the queue of `authority`.
  func leave(_ exchange: CurlExchange, at authority: String) {
    if isEmpty { return }
    change(authority) { $0.leave(ObjectIdentifier(exchange)) }
  }

  /// Registers handshakes with `authority` as orphaned; false if there are too many already.
  func addOrphan(_ authority: String) -> Bool {
    guard orphans < maxOrphans, change(authority, { $0.addOrphan() }) else { return false }
    orphans += 1
    return true
  }

  /// Records that an orphaned handshake succeeded or failed.
  func removeOrphan(_ authority: String) {
    orphans -= 1
    change(authority) { $0.removeOrphan() }
  }
}

extension String {
  /// The scheme and authority of this URL, unchanged: the key under which connections are shared.
  var authority: String {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.authority } ?? utf8.authority
  }
}

extension Collection<UInt8> {
  fileprivate var authority: String {
    guard let colon = firstIndex(of: UInt8(ascii: ":")) else { return String(decoding: self, as: UTF8.self) }
    let authority = self[colon...].dropFirst("://".utf8.count).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    return String(decoding: self[..<authority.endIndex], as: UTF8.self)
  }
}
